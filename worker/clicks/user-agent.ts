import { isbot } from 'isbot';
import UAParser from 'ua-parser-js';

/** What a user agent says: a bot, or what a person uses. Unknown parts are 'Other'. */
export type Agent = { bot: boolean; device: string; browser: string; os: string };

const DEVICES: Readonly<Record<string, string>> = {
  mobile: 'Mobile',
  tablet: 'Tablet',
  smarttv: 'TV',
  console: 'Console',
  wearable: 'Wearable',
};
/** Systems whose devices the parser leaves unnamed because they are ordinary computers. */
const DESKTOP =
  /^(Windows|Mac OS|Linux|Chromium OS|Ubuntu|Debian|Fedora|Mint|Arch|CentOS|Red ?Hat|SUSE|Gentoo|Manjaro|Slackware|Mageia|Mandriva|(Free|Net|Open|PC-|Ghost)BSD|DragonFly|Solaris|Haiku|UNIX|elementary OS)$/i;
/** Longer user agents are cut: nothing behind this names a browser, and the parser's patterns cost with length. */
const UA_MAX = 400;

/** A reader of user agents that parses each different one once. Make one per batch: its memory lives as long as it does. */
export function createUserAgentParser(): (ua: string) => Agent {
  const seen = new Map<string, Agent>();
  return (ua) => {
    const known = seen.get(ua);
    if (known !== undefined) return known;
    const agent = readAgent(ua.slice(0, UA_MAX));
    seen.set(ua, agent);
    return agent;
  };
}

function readAgent(ua: string): Agent {
  if (ua.trim() === '' || isbot(ua)) return { bot: true, device: 'Other', browser: 'Other', os: 'Other' };
  const parser = new UAParser(ua);
  const os = parser.getOS().name ?? 'Other';
  const type = parser.getDevice().type;
  const device = type === undefined ? (DESKTOP.test(os) ? 'Desktop' : 'Other') : (DEVICES[type] ?? 'Other');
  return { bot: false, device, browser: parser.getBrowser().name ?? 'Other', os };
}
