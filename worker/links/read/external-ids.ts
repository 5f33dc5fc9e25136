/**
 * API keys with the same code prefix share a namespace of external ids. Their ids are stored behind
 * the prefix and a separator that no request can send, so that they neither clash with nor reveal
 * the ids of the account's other keys.
 */
const SEPARATOR = '\u001F';

/**
 * Returns the stored form of an id that a key gave. `codePrefix` is '' for a key without a prefix.
 */
export const toStoredExternalId = (id: string, codePrefix: string): string =>
  codePrefix === '' ? id : `${codePrefix}${SEPARATOR}${id}`;

/** Returns the id as keys with this code prefix see it; null for an id of another prefix. */
export function visibleExternalId(stored: string | null, codePrefix: string): string | null {
  if (stored === null || !stored.includes(SEPARATOR)) return stored;
  const own = toStoredExternalId('', codePrefix);
  return codePrefix !== '' && stored.startsWith(own) ? stored.slice(own.length) : null;
}

/** Returns the id without any prefix, for the owner's export. */
export const plainExternalId = (stored: string | null): string | null =>
  stored === null ? null : stored.slice(stored.indexOf(SEPARATOR) + 1);
