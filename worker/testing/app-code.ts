import { codeAt, stepAt } from '#worker/auth/second-factor/totp.ts';

/** The code that an app with this secret (base32) shows, `off` steps from now. */
export const appCode = (secret: string, off = 0): string =>
  codeAt(secretBytes(secret), stepAt(Date.now()) + off);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export function secretBytes(text: string): Buffer {
  const bits = Array.from(text, (c) => ALPHABET.indexOf(c).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}
