import { describe, expect, it } from 'vitest';
import { codeAt, matchStep, otpauthUri, stepAt, toBase32 } from './totp.ts';

/** The key of the test vectors for SHA-1 (RFC 6238, appendix B). */
const KEY = Buffer.from('12345678901234567890');
const NOW = 1_234_567_890_000;
const STEP_MS = 30_000;

describe('codes of authenticator apps', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %i s it is the one of RFC 6238', (seconds, code) => {
    expect(codeAt(KEY, stepAt(seconds * 1000), 8)).toBe(code);
    expect(codeAt(KEY, stepAt(seconds * 1000))).toBe(code.slice(2));
  });

  it('matchStep accepts the step before and after, and no other', () => {
    const step = stepAt(NOW);
    const accepts = [-2, -1, 0, 1, 2].map((off) => matchStep(KEY, codeAt(KEY, step + off), NOW));
    expect(accepts).toEqual([null, step - 1, step, step + 1, null]);
    expect(matchStep(KEY, codeAt(KEY, step), NOW + 2 * STEP_MS)).toBeNull();
    expect(matchStep(KEY, '', NOW)).toBeNull();
    expect(matchStep(KEY, `${codeAt(KEY, step)}0`, NOW)).toBeNull();
  });

  it.each([
    ['fooba', 'MZXW6YTB'],
    ['foobafooba', 'MZXW6YTBMZXW6YTB'],
  ])('toBase32 writes %s as RFC 4648 does', (text, base32) => {
    expect(toBase32(Buffer.from(text))).toBe(base32);
  });

  it('the address of the QR code names the site, the account and the secret', () => {
    expect(otpauthUri(KEY, 'Hop', 'ada+x@example.com')).toBe(
      `otpauth://totp/Hop:ada%2Bx%40example.com?secret=${toBase32(KEY)}&issuer=Hop`,
    );
  });
});
