import {
  DOMAIN_ID_ALPHABET,
  DOMAIN_ID_LENGTH,
  SHARED_LETTER,
  type DomainId,
} from '#contract/codes/domain-key.ts';
import type { RandomSource } from '#worker/edge/codes.ts';

/** The largest multiple of the alphabet's length up to 256; bytes from here on are skipped. */
const UNBIASED_BYTES = 256 - (256 % DOMAIN_ID_ALPHABET.length);

/** Returns one of 190 trillion ids, or one of 7 trillion for a domain of the operator. */
export function newDomainId(random: RandomSource, isShared = false): DomainId {
  const bytes = new Uint8Array(DOMAIN_ID_LENGTH * 2);
  let id = isShared ? SHARED_LETTER : '';
  while (id.length < DOMAIN_ID_LENGTH) {
    random(bytes);
    for (const byte of bytes)
      if (byte < UNBIASED_BYTES && id.length < DOMAIN_ID_LENGTH)
        id += DOMAIN_ID_ALPHABET.charAt(byte % DOMAIN_ID_ALPHABET.length);
  }
  return `d.${id}`;
}
