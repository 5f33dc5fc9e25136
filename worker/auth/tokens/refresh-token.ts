import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#worker/secrets/keyed-hash.ts';

/**
 * Refresh tokens in the second format of Supabase Auth: base64url(version 0 ‖ session UUID ‖
 * counter as varint ‖ 16 bytes of HMAC-SHA-256 ‖ 4 bytes of SHA-256 as a checksum). No token is
 * stored: the session row holds one counter, and the HMAC key is derived per session from
 * AUTH_SECRET, so a copy of the database contains no usable token.
 */
const VERSION = 0;
const MAC_BYTES = 16;
const CHECKSUM_BYTES = 4;
const UUID_BYTES = 16;
/** At seven bits per byte, five bytes hold every counter that a session can reach. */
const VARINT_MAX_BYTES = 5;

export function signRefreshToken(secret: string, sessionId: string, counter: number): string {
  const head = Buffer.concat([
    Buffer.from([VERSION]),
    Buffer.from(sessionId.replaceAll('-', ''), 'hex'),
    Buffer.from(encodeVarint(counter)),
  ]);
  const signed = Buffer.concat([head, mac(secret, sessionId, head)]);
  return Buffer.concat([signed, checksum(signed)]).toString('base64url');
}

/**
 * Returns the session and counter of a token; null unless `signRefreshToken` made it with this
 * secret.
 */
export function verifyRefreshToken(
  secret: string,
  token: string,
): { sessionId: string; counter: number } | null {
  if (token.length > 100 || !/^[A-Za-z0-9_-]+$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const headEnd = bytes.length - MAC_BYTES - CHECKSUM_BYTES;
  if (
    headEnd < 1 + UUID_BYTES + 1 ||
    headEnd > 1 + UUID_BYTES + VARINT_MAX_BYTES ||
    bytes[0] !== VERSION
  )
    return null;
  const signed = bytes.subarray(0, -CHECKSUM_BYTES);
  if (!checksum(signed).equals(bytes.subarray(-CHECKSUM_BYTES))) return null;
  const head = bytes.subarray(0, headEnd);
  const sessionId = formatUuid(bytes.subarray(1, 1 + UUID_BYTES));
  if (!timingSafeEqual(mac(secret, sessionId, head), bytes.subarray(headEnd, -CHECKSUM_BYTES)))
    return null;
  return { sessionId, counter: decodeVarint(head.subarray(1 + UUID_BYTES)) };
}

function mac(secret: string, sessionId: string, head: Buffer): Buffer {
  return createHmac('sha256', deriveKey(secret, `refresh:${sessionId}`))
    .update(head)
    .digest()
    .subarray(0, MAC_BYTES);
}

const checksum = (bytes: Buffer): Buffer =>
  createHash('sha256').update(bytes).digest().subarray(0, CHECKSUM_BYTES);

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

function encodeVarint(value: number): number[] {
  const low = value % 128;
  const high = Math.floor(value / 128);
  return high === 0 ? [low] : [low + 128, ...encodeVarint(high)];
}

const decodeVarint = (bytes: Buffer): number =>
  bytes.reduceRight((sum, byte) => sum * 128 + (byte % 128), 0);
