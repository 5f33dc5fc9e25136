import { ALIAS_MAX, ALIAS_PATTERN } from '#contract/limits.ts';
import { isReserved } from '#contract/paths.ts';

const CODE_LENGTH = 7;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 that a byte can hold: bytes at or above it are thrown away, or some characters would come more often. */
const FAIR_BYTES = 248;

/** Fills the array with random bytes: `crypto.getRandomValues`, or a test's own. */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => void;

export const cryptoBytes: RandomBytes = (bytes) => {
  crypto.getRandomValues(bytes);
};

/** A new code: 7 characters, base 62, every character equally likely (decision 13). Never a reserved word. */
export function newCode(random: RandomBytes): string {
  const bytes = new Uint8Array(CODE_LENGTH * 2);
  let code = '';
  for (;;) {
    random(bytes);
    for (const byte of bytes) {
      if (byte >= FAIR_BYTES) continue;
      code += ALPHABET.charAt(byte % ALPHABET.length);
      if (code.length < CODE_LENGTH) continue;
      if (!isReserved(code)) return code;
      code = '';
    }
  }
}

export type AliasCheck = { ok: true } | { ok: false; reason: 'invalid_alias' | 'reserved_alias'; message: string };

/** Decision 14: the server refuses a bad alias, it never changes it. */
export function checkAlias(alias: string): AliasCheck {
  if (!ALIAS_PATTERN.test(alias))
    return {
      ok: false,
      reason: 'invalid_alias',
      message: `An alias has 1 to ${ALIAS_MAX} characters: letters, digits, hyphens and underscores.`,
    };
  if (isReserved(alias))
    return { ok: false, reason: 'reserved_alias', message: 'This alias is reserved. Please choose another one.' };
  return { ok: true };
}
