import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { linkIdsOf, readLinkIds } from './link-ids.ts';

const KEY = '000102030405060708090a0b0c0d0e0f';
const ids = linkIdsOf(`${KEY} 1000`);

describe('linkIdsOf', () => {
  it('an id after the numbered ones is encrypted, and is read back', () => {
    for (const id of [1001, 1002, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expect(ids.show(id)).toMatch(/^lnk_[0-9A-Za-z]{22}$/);
      expect(ids.read(ids.show(id))).toBe(id);
    }
    // As `openssl enc -aes-128-ecb -nopad` does it. Clients store ids, so they never change.
    expect(ids.show(1001)).toBe('lnk_7cfjgEYp0Sa0YBLen3iIh1');
    expect(linkIdsOf(`${KEY.replace('0f', '0e')} 1000`).show(1001)).not.toBe(ids.show(1001));
  });

  it('a link with a number as id keeps it, and has no other', () => {
    expect([ids.show(1), ids.show(1000)]).toEqual(['1', '1000']);
    expect([ids.read('1'), ids.read('1000')]).toEqual([1, 1000]);
    expect(ids.read(linkIdsOf(`${KEY} 0`).show(1000))).toBe(0);
  });

  it('a text that is not an id is no link', () => {
    const id = ids.show(1001);
    const other = id.endsWith('0') ? '1' : '0';
    for (const text of [
      '',
      '0',
      '-1',
      '1e2',
      'x',
      'lnk_',
      '1001',
      id.slice(0, -1),
      `${id}0`,
      id.slice(0, -1) + other,
      id.toUpperCase(),
      `lnk_${'z'.repeat(22)}`,
      `lnk_${'-'.repeat(22)}`,
      `lnk_${'0'.repeat(22)}`,
    ])
      expect(ids.read(text), text).toBe(0);
  });

  it('without a key, ids are numbers', () => {
    const none = linkIdsOf(null);
    expect([none.show(7), none.read('7'), none.read(ids.show(1001))]).toEqual(['7', 7, 0]);
  });
});

describe('readLinkIds', () => {
  it('the migration has made a random key', async () => {
    const key = await env.DB.prepare('SELECT * FROM link_id_keys').first();
    expect(key).toEqual({ key: expect.stringMatching(/^[0-9a-f]{32}$/), numbered_through: 0 });
    const read = await readLinkIds(openDb(env.DB));
    expect(read.read(read.show(1))).toBe(1);
    expect(read.show(1)).toMatch(/^lnk_/);
  });
});
