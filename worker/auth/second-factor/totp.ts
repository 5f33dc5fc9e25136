import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds. */

const STEP_MS = 30_000;
const DIGITS = 6;
/** As long as the hash, which RFC 4226 §4 recommends. */
const SECRET_BYTES = 20;
/** How far the clock of a phone may be off, in steps. */
const TOLERANCE = 1;

export const randomSecret = (): Buffer => randomBytes(SECRET_BYTES);

export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/** The code of a time step (RFC 4226 §5.3). */
export function codeAt(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const value = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(value % 10 ** digits).padStart(digits, '0');
}

/**
 * Returns the step with this code, among the present one and its neighbors; null if there is none.
 */
export function matchStep(secret: Buffer, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const current = stepAt(now);
  const steps = [current + TOLERANCE, current, current - TOLERANCE];
  const match = steps.find((step) =>
    timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)),
  );
  return match ?? null;
}

/** The address that an app reads from the QR code. */
export function otpauthUri(secret: Buffer, issuer: string, email: string): string {
  const query = new URLSearchParams({ secret: toBase32(secret), issuer });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query.toString()}`;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 (RFC 4648 §6) without padding, of a multiple of five bytes. */
export const toBase32 = (bytes: Buffer): string =>
  bytes
    .toString('hex')
    .replaceAll(/.{10}/g, (hex) =>
      Array.from({ length: 8 }, (_, at) =>
        BASE32.charAt(Number((BigInt(`0x${hex}`) >> BigInt(35 - 5 * at)) & 31n)),
      ).join(''),
    );
