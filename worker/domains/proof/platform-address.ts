/** The networks of the platform's proxy (https://www.cloudflare.com/ips/), IPv4 only. */
const NETWORKS: readonly (readonly [string, number])[] = [
  ['173.245.48.0', 20],
  ['103.21.244.0', 22],
  ['103.22.200.0', 22],
  ['103.31.4.0', 22],
  ['141.101.64.0', 18],
  ['108.162.192.0', 18],
  ['190.93.240.0', 20],
  ['188.114.96.0', 20],
  ['197.234.240.0', 22],
  ['198.41.128.0', 17],
  ['162.158.0.0', 15],
  ['104.16.0.0', 13],
  ['104.24.0.0', 14],
  ['172.64.0.0', 13],
  ['131.0.72.0', 22],
];

const toNumber = (dotted: string): number =>
  dotted.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** True for an IPv4 address of the proxy. A host there has a record with an orange cloud. */
export const isOfPlatform = (address: string): boolean =>
  NETWORKS.some(
    ([network, bits]) =>
      Math.floor(toNumber(address) / 2 ** (32 - bits)) ===
      Math.floor(toNumber(network) / 2 ** (32 - bits)),
  );
