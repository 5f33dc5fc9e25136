import {
  DEFAULT_DOMAIN,
  isSharedDomain,
  splitKey,
  type DomainId,
} from '#contract/codes/domain-key.ts';
import { isCodePath, type LinkKey } from '#contract/codes/link-key.ts';
import { CODE_PATTERN } from '#contract/limits.ts';
import { hasCredentialWords, isReserved, isReservedKey } from '#contract/pages/reserved.ts';

export const GENERATED_CODE_LENGTH = 7;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * The largest multiple of 62 up to 256. Bytes from here on are skipped; `byte % 62` would favor the
 * first characters.
 */
const UNBIASED_BYTES = 248;

/** Fills an array with random bytes: `cryptoRandom`, or a fixed sequence in tests. */
export type RandomSource = (bytes: Uint8Array<ArrayBuffer>) => void;

export const cryptoRandom: RandomSource = (bytes) => {
  crypto.getRandomValues(bytes);
};

/**
 * Generates a short code that is not a reserved word: `prefix` and 7 characters of base 62, each
 * equally likely (docs/decisions.md#d13).
 */
export function newCode(random: RandomSource, prefix = ''): string {
  const bytes = new Uint8Array(GENERATED_CODE_LENGTH * 2);
  let code = '';
  for (;;) {
    random(bytes);
    for (const byte of bytes) {
      if (byte >= UNBIASED_BYTES) continue;
      code += ALPHABET.charAt(byte % ALPHABET.length);
      if (code.length < GENERATED_CODE_LENGTH) continue;
      if (!isReserved(prefix + code)) return prefix + code;
      code = '';
    }
  }
}

export type AliasErrorReason = 'invalid_alias' | 'reserved_alias';

/**
 * Checks an alias. An invalid one is an error and is never corrected (docs/decisions.md#d14). `domain`
 * is null if it is not known yet.
 */
export function checkAlias(
  alias: string,
  domain: DomainId | null = DEFAULT_DOMAIN,
): { ok: true } | { ok: false; reason: AliasErrorReason } {
  if (!CODE_PATTERN.test(alias)) return { ok: false, reason: 'invalid_alias' };
  const isFree = domain === null || !isReservedOn(domain, alias);
  return isFree ? { ok: true } : { ok: false, reason: 'reserved_alias' };
}

/**
 * True if a code is reserved on a domain. Words about credentials are reserved on domains of the
 * operator, because every member can make links there. Domains of members have no reserved words.
 */
export const isReservedOn = (domain: DomainId, code: string): boolean =>
  domain === DEFAULT_DOMAIN
    ? isReservedKey(code)
    : isSharedDomain(domain) && hasCredentialWords(code);

/** Checks the code of a link from another service, which can be longer than an alias. */
export function checkImportedCode(
  key: LinkKey,
): { ok: true } | { ok: false; reason: 'invalid_imported_code' | 'reserved_alias' } {
  const { domain, code } = splitKey(key);
  if (!isCodePath(code)) return { ok: false, reason: 'invalid_imported_code' };
  return isReservedOn(domain, code) ? { ok: false, reason: 'reserved_alias' } : { ok: true };
}

export const ALIAS_TAKEN = { ok: false, reason: 'alias_taken' } as const;
export const ALIAS_HELD = { ok: false, reason: 'alias_held' } as const;
