/**
 * Decides which IP literals are public (SECURITY.md T7). The URL parser has already turned every
 * spelling (`0x7f.1`, `2130706433`, `127。0。0。1`) into dotted decimals or a bracketed, compressed
 * IPv6 address. No library is used, because the tables would be needed anyway: ipaddr.js 2.5 adds
 * 3.6 KB gzip to the Worker, node:net 4 ms to its first use.
 */

/**
 * Special-purpose IPv4 blocks (IANA registry, RFC 6890 and later), as network and prefix length.
 */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/**
 * Special-purpose IPv6 blocks inside 2000::/3, as first 32 bits and prefix length: protocol
 * assignments, documentation, and 6to4, which can embed any IPv4 address. Loopback, mapped, NAT64,
 * unique-local, link-local and multicast addresses are outside 2000::/3, the only global unicast
 * block.
 */
const SPECIAL_V6: readonly (readonly [number, number])[] = [
  [0x2001_0000, 23],
  [0x2001_0db8, 32],
  [0x2002_0000, 16],
  [0x3fff_0000, 20],
];

const matches = (address: number, network: number, bits: number): boolean =>
  Math.floor(address / 2 ** (32 - bits)) === Math.floor(network / 2 ** (32 - bits));

const ipv4ToNumber = (dotted: string): number =>
  dotted.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** True for a dotted-decimal IPv4 address as the URL parser writes it. */
export const isIpv4 = (host: string): boolean => /^\d{1,3}(\.\d{1,3}){3}$/.test(host);

/** True for an IPv6 host as the URL parser writes it: in brackets. */
export const isIpv6 = (host: string): boolean => host.startsWith('[');

/** True if `host`, an IP literal as the URL parser writes it, is a public unicast address. */
export function isPublicAddress(host: string): boolean {
  if (isIpv4(host)) {
    const address = ipv4ToNumber(host);
    return !SPECIAL_V4.some(([network, bits]) => matches(address, ipv4ToNumber(network), bits));
  }
  const first = first32Bits(host);
  return (
    matches(first, 0x2000_0000, 3) &&
    !SPECIAL_V6.some(([network, bits]) => matches(first, network, bits))
  );
}

function first32Bits(host: string): number {
  const [head = '', tail] = host.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const full = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after];
  return Number.parseInt(full[0] ?? '0', 16) * 0x1_0000 + Number.parseInt(full[1] ?? '0', 16);
}
