import { hostOfLink, textOf } from './read-values.ts';
import { isAddress, type ParsedFile } from './read-table.ts';

/** The number of lines that are searched for addresses. */
const SAMPLE_LINES = 100;
const BITLY = /^(?:https?:\/\/)?bit\.ly\//i;
/** Most short links have a single segment of this length at most. */
const SHORT_LINK = /^(?:https?:\/\/)?[^/]+\/[^/?#]{1,30}$/i;

export type AddressColumns = { url: number; shortUrl?: number; code?: number };

/**
 * Finds the columns with addresses among those that `isFree` accepts, by their content. Columns
 * whose addresses are all short links of one host are the short links: the first one those that the
 * service gave, the second one those that a member chose. Undefined if there is no address.
 */
export function findAddresses(
  file: ParsedFile,
  isFree: (column: number) => boolean,
): AddressColumns | undefined {
  const found = file.names.flatMap((_, column) => {
    const addresses = isFree(column) ? addressesOf(file, column) : [];
    return addresses.length === 0 ? [] : [{ column, addresses }];
  });
  const short = found.filter(({ addresses }) => areShortLinks(addresses));
  const long = found.filter((column) => !short.includes(column));
  const [url] = (long.length > 0 ? long : found).toSorted(
    (a, b) => b.addresses.length - a.addresses.length,
  );
  if (url === undefined) return undefined;
  const [shortUrl, code] = long.length > 0 ? short : [];
  return {
    url: url.column,
    ...(shortUrl !== undefined && { shortUrl: shortUrl.column }),
    ...(code !== undefined && { code: code.column }),
  };
}

/** True if a column has short links of Bitly, whatever it is called. */
export const hasBitlyLinks = (file: ParsedFile): boolean =>
  file.names.some((_, column) => {
    const addresses = addressesOf(file, column);
    return addresses.length > 0 && addresses.every((address) => BITLY.test(address));
  });

const addressesOf = ({ lines }: ParsedFile, column: number): string[] =>
  lines
    .slice(0, SAMPLE_LINES)
    .map(({ cellOf }) => cellOf?.(column))
    .filter(isAddress)
    .map(textOf);

function areShortLinks(addresses: readonly string[]): boolean {
  const hosts = new Set(addresses.map(hostOfLink));
  return hosts.size === 1 && addresses.every((address) => SHORT_LINK.test(address));
}
