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
/** Desktop operating systems, for which the parser reports no device type. */
const DESKTOP =
  /^(Windows|Mac OS|Linux|Chromium OS|Ubuntu|Debian|Fedora|Mint|Arch|CentOS|Red ?Hat|SUSE|Gentoo|Manjaro|Slackware|Mageia|Mandriva|(Free|Net|Open|PC-|Ghost)BSD|DragonFly|Solaris|Haiku|UNIX|elementary OS)$/i;
/**
 * The maximum length, in UTF-16 units. User agents name the browser within it, and the parser's
 * patterns slow down with length.
 */
const UA_MAX = 400;
const CONDENSED = '\u0001';

/**
 * Creates a parser that parses each distinct user agent once. Create one per batch, because it
 * never forgets a text.
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

/** True for programs that do not open pages for a person, and for a missing user agent. */
export const isBot = (ua: string): boolean => ua.trim() === '' || isbot(ua.slice(0, UA_MAX));

/**
 * Reduces a user agent to its parsed parts, for data that must not contain the text.
 * `createUserAgentParser` parses the result like the text. It starts with a control character,
 * which redirects never accept in a header.
 */
export const condense = ({ bot, device, browser, os }: UserAgent): string =>
  bot ? '' : `${CONDENSED}${[device, browser, os].join('|')}`;

function parse(ua: string): UserAgent {
  if (ua.startsWith(CONDENSED)) {
    const [device = 'Other', browser = 'Other', os = 'Other'] = ua.slice(1).split('|');
    return { bot: false, device, browser, os };
  }
  if (isBot(ua)) return { bot: true, device: 'Other', browser: 'Other', os: 'Other' };
  const parser = new UAParser(ua);
  const os = parser.getOS().name ?? 'Other';
  const type = parser.getDevice().type;
  const device =
    type === undefined ? (DESKTOP.test(os) ? 'Desktop' : 'Other') : (DEVICES[type] ?? 'Other');
  return { bot: false, device, browser: parser.getBrowser().name ?? 'Other', os };
}
