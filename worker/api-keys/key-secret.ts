import { randomBytes } from 'node:crypto';

/**
 * The secret of an API key: `hop_live_`, 32 random characters of base 62 (190 bits) and their
 * CRC-32 in 6 characters. Scanners recognize a leaked key by its prefix, and the checksum rules out
 * chance matches.
 */
const PREFIX = 'hop_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** Characters of the random part that stay visible, so that an owner can distinguish keys. */
const VISIBLE_LENGTH = 4;
/**
 * The largest multiple of 62 up to 256. Larger bytes are skipped, so that every character is
 * equally likely.
 */
const UNBIASED_BYTES = 248;
const FORM = new RegExp(`^${PREFIX}[${ALPHABET}]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export function newKeySecret(): string {
  let random = '';
  while (random.length < RANDOM_LENGTH)
    for (const byte of randomBytes(RANDOM_LENGTH))
      if (byte < UNBIASED_BYTES && random.length < RANDOM_LENGTH)
        random += ALPHABET.charAt(byte % ALPHABET.length);
  return PREFIX + random + checksumOf(random);
}

export const visiblePrefix = (secret: string): string =>
  secret.slice(0, PREFIX.length + VISIBLE_LENGTH);

/**
 * True for a bearer token with the prefix of a key, valid or not. A session's token never starts
 * like this.
 */
export const looksLikeKey = (text: string): boolean => text.startsWith('hop_');

/** True if the form and the checksum are right. A mistyped secret then costs no database query. */
export function isKeySecret(text: string): boolean {
  if (!FORM.test(text)) return false;
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return text.endsWith(checksumOf(random));
}

function checksumOf(random: string): string {
  let value = crc32(random);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = ALPHABET.charAt(value % ALPHABET.length) + text;
    value = Math.floor(value / ALPHABET.length);
  }
  return text;
}

/** CRC-32 as in gzip and PNG (ISO 3309), of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
