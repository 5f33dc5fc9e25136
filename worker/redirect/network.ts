/**
 * The network used for rate limits and visitor ids: an IPv4 address, or the /64 of an IPv6 address.
 * '' for ''.
 */
export const networkOfAddress = (address: string): string =>
  address.includes(':') ? prefixOf(address, 4) : address;

/**
 * The /48 of an IPv6 address, which providers assign to a single customer. '' for an IPv4 address.
 */
export const siteOfAddress = (address: string): string =>
  address.includes(':') ? prefixOf(address, 3) : '';

/**
 * The first `groups` 16-bit groups of an IPv6 address, with the prefix length: `2001:db8:1:2::/64`.
 */
function prefixOf(address: string, groups: number): string {
  const [head = '', tail] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const full =
    tail === undefined
      ? front
      : [
          ...front,
          ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'),
          ...back,
        ];
  return `${full
    .slice(0, groups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${groups * 16}`;
}
