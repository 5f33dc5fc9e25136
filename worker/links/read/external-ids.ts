/**
 * External ids of links, as the column has them. Keys with a code prefix share ids of their own:
 * those are stored behind the prefix and a separator that no request can send. So they neither take
 * nor reveal the ids of the account's other keys.
 */
const SEPARATOR = '\u001F';

/** The id that a key with this code prefix means; '' for keys without one. */
export const toStoredExternalId = (id: string, codePrefix: string): string =>
  codePrefix === '' ? id : `${codePrefix}${SEPARATOR}${id}`;

/** The id as keys with this code prefix see it; null for one that keys with another prefix gave. */
export function visibleExternalId(stored: string | null, codePrefix: string): string | null {
  if (stored === null || !stored.includes(SEPARATOR)) return stored;
  const own = toStoredExternalId('', codePrefix);
  return codePrefix !== '' && stored.startsWith(own) ? stored.slice(own.length) : null;
}

/** The id as its owner's export has it, whichever key gave it. */
export const plainExternalId = (stored: string | null): string | null =>
  stored === null ? null : stored.slice(stored.indexOf(SEPARATOR) + 1);
