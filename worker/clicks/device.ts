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
const DESKTOPS: ReadonlySet<string> = new Set(
  `Windows,Mac OS,Linux,Chromium OS,Ubuntu,Debian,Fedora,Mint,Arch,CentOS,Red Hat,SUSE,Gentoo,Manjaro,Slackware,Mageia,Mandriva,Zenwalk,Linpus,Solaris,FreeBSD,NetBSD,OpenBSD,DragonFly,PC-BSD,GhostBSD,Haiku,BeOS,AIX,HP-UX,UNIX,Unix,GNU,Hurd,OS/2,elementary OS`.split(
    ',',
  ),
);
/** Longer user agents are cut: nothing behind this names a browser, and the parser's patterns cost with length. */
const UA_MAX = 400;

/** A reader of user agents that parses each different one once. Make one per batch: its memory lives as long as it does. */
export function agentReader(): (ua: string) => Agent {
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
  const device = type === undefined ? (DESKTOPS.has(os) ? 'Desktop' : 'Other') : (DEVICES[type] ?? 'Other');
  return { bot: false, device, browser: parser.getBrowser().name ?? 'Other', os };
}
