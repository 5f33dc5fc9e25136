import { codeOfKey } from './code-of-key.ts';
import type { LinkKey } from './link-key.ts';
import { IMPORTED_CODE_MAX } from '#contract/limits.ts';

/**
 * The id of a domain whose links are separate from those of other domains: `d.` and ten letters and
 * digits. It is never used again, so that a host name that gets a new owner never shows the links of
 * its former owner. A code has no dot, so no code is the key of a link on a domain.
 */
export type DomainId = string;

/** The deployment's own short host. */
export const DEFAULT_DOMAIN: DomainId = '';

/** Without letters and digits that look alike, because a similar code is sought by its key. */
export const DOMAIN_ID_ALPHABET = 'abcdefghjkmnpqrtuvwxy346789';
export const DOMAIN_ID_LENGTH = 10;
/** The first letter of the operator's domains, which all members share. No other id has it. */
export const SHARED_LETTER = 's';
export const isSharedDomain = (id: DomainId): boolean => id.startsWith(`d.${SHARED_LETTER}`);
/** `d.`, the letters and digits, a slash and a code. */
export const LINK_KEY_MAX = DOMAIN_ID_LENGTH + 3 + IMPORTED_CODE_MAX;

export const linkKey = (domain: DomainId, code: string): LinkKey =>
  domain === DEFAULT_DOMAIN ? code : `${domain}/${code}`;

/** The domain and the code of a link. A code may have slashes, too. */
export function splitKey(key: LinkKey): { domain: DomainId; code: string } {
  if (key.charAt(1) !== '.') return { domain: DEFAULT_DOMAIN, code: key };
  return { domain: key.slice(0, key.indexOf('/')), code: codeOfKey(key) };
}

/** The form of a key, whether or not the link exists. */
export const LINK_KEY_PATTERN = new RegExp(
  String.raw`^(?:d\.[a-z0-9]{${DOMAIN_ID_LENGTH}}/)?(?=.{1,${IMPORTED_CODE_MAX}}$)[\w-]+(?:/[\w-]+)*$`,
);
export const isLinkKey = (text: string): boolean => LINK_KEY_PATTERN.test(text);
