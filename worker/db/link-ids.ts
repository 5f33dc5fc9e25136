import { createCipheriv, createDecipheriv } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Db } from './client.ts';
import { idFromCursor } from './paginate.ts';
import { link_id_keys } from './schema-system.ts';

/**
 * The ids of links in the public API. They are encrypted numbers, so that nobody can tell from them
 * how many links there are (docs/decisions.md#d62). Links that had an id before keep their number.
 */
export type LinkIds = {
  show: (id: number) => string;
  /** Returns 0, which no link has, for a text that is not an id. */
  read: (text: string) => number;
};

/** The stored key in SQL, for `linkIdsOf`; null if there is none. */
export const linkIdKey = sql<
  string | null
>`(select key || ' ' || numbered_through from ${link_id_keys} limit 1)`;

export async function readLinkIds(db: Db): Promise<LinkIds> {
  return linkIdsOf((await db.get<{ key: string | null }>(sql`select ${linkIdKey} as key`)).key);
}

const PREFIX = 'lnk_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The length of 128 bits in base 62. */
const LENGTH = 22;

const readNumber = (text: string): number => idFromCursor(text) ?? 0;

export function linkIdsOf(stored: string | null): LinkIds {
  // A database that lost its key still has links.
  if (stored === null) return { show: String, read: readNumber };
  const [hex = '', last] = stored.split(' ');
  const key = Buffer.from(hex, 'hex');
  const numberedThrough = Number(last);
  return {
    show: (id) => (id <= numberedThrough ? String(id) : PREFIX + toBase62(encrypt(key, id))),
    read: (text) => {
      const isEncrypted = text.startsWith(PREFIX);
      const id = isEncrypted
        ? decrypt(key, fromBase62(text.slice(PREFIX.length)))
        : readNumber(text);
      return isEncrypted === id > numberedThrough ? id : 0;
    },
  };
}

/** A number in one block of AES. Equal numbers have equal blocks, which is what an id needs. */
function encrypt(key: Buffer, id: number): Buffer {
  const block = Buffer.alloc(16);
  block.writeBigUInt64BE(BigInt(id), 8);
  return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block);
}

/** Returns 0 for a block that this key has not encrypted. */
function decrypt(key: Buffer, block: Buffer | null): number {
  if (block === null) return 0;
  const id = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block);
  const number = Number(id.readBigUInt64BE(8));
  return id.readBigUInt64BE(0) === 0n && Number.isSafeInteger(number) ? number : 0;
}

function toBase62(block: Buffer): string {
  let rest = BigInt(`0x${block.toString('hex')}`);
  let text = '';
  for (let i = 0; i < LENGTH; i++) {
    text = DIGITS.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

function fromBase62(text: string): Buffer | null {
  if (text.length !== LENGTH || !/^[0-9A-Za-z]+$/.test(text)) return null;
  let number = 0n;
  for (const digit of text) number = number * 62n + BigInt(DIGITS.indexOf(digit));
  return number < 1n << 128n ? Buffer.from(number.toString(16).padStart(32, '0'), 'hex') : null;
}
