const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the origin of an address to which a key may be sent: any with https, or this machine,
 * where http is the default. Null for others.
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
