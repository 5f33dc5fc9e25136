const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the origin of an address that a key may be sent to: https, or a server on this machine,
 * which is http unless it is said. Null otherwise.
 */
export function originOf(address: string): string | null {
  const scheme = LOOPBACK.has(address.replace(/(:\d+)?(\/.*)?$/, '')) ? 'http' : 'https';
  const text = address.includes('://') ? address : `${scheme}://${address}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  return isSafe ? url.origin : null;
}
