import { isbot } from 'isbot';
import UAParser from 'ua-parser-js';

/** A parsed user agent. Unknown parts are 'Other'. */
export type UserAgent = { bot: boolean; device: string; browser: string; os: string };

const DEVICES: Readonly<Record<string, string>> = {
  mobile: 'Mobile',
  tablet: 'Tablet',
  smarttv: 'TV',
  console: 'Console',
  wearable: 'Wearable',
};
/** Operating systems of desktop computers, for which the parser reports no device type. */
const DESKTOP =
  /^(Windows|Mac OS|Linux|Chromium OS|Ubuntu|Debian|Fedora|Mint|Arch|CentOS|Red ?Hat|SUSE|Gentoo|Manjaro|Slackware|Mageia|Mandriva|(Free|Net|Open|PC-|Ghost)BSD|DragonFly|Solaris|Haiku|UNIX|elementary OS)$/i;
/**
 * In UTF-16 units. No browser is named beyond this, and the parser's patterns slow down with
 * length.
 */
const UA_MAX = 400;
const CONDENSED = '\u0001';

/**
 * Creates a parser of user agents that parses each distinct text once. Create one per batch: it
 * remembers every text for as long as it lives.
 */
export function createUserAgentParser(): (ua: string) => UserAgent {
  const parsed = new Map<string, UserAgent>();
  return (ua) => {
    const known = parsed.get(ua);
    if (known !== undefined) return known;
    const agent = parse(ua.slice(0, UA_MAX));
    parsed.set(ua, agent);
    return agent;
  };
}

/**
 * What is kept of a user agent where the text itself must not be: `createUserAgentParser` reads it
 * like the text. It begins with a control character, which the redirect lets nobody send.
 */
export const condense = ({ bot, device, browser, os }: UserAgent): string =>
  bot ? '' : `${CONDENSED}${[device, browser, os].join('|')}`;

function parse(ua: string): UserAgent {
  if (ua.startsWith(CONDENSED)) {
    const [device = 'Other', browser = 'Other', os = 'Other'] = ua.slice(1).split('|');
    return { bot: false, device, browser, os };
  }
  if (ua.trim() === '' || isbot(ua))
    return { bot: true, device: 'Other', browser: 'Other', os: 'Other' };
  const parser = new UAParser(ua);
  const os = parser.getOS().name ?? 'Other';
  const type = parser.getDevice().type;
  const device =
    type === undefined ? (DESKTOP.test(os) ? 'Desktop' : 'Other') : (DEVICES[type] ?? 'Other');
  return { bot: false, device, browser: parser.getBrowser().name ?? 'Other', os };
}
