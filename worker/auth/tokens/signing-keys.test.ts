import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { beforeBatch } from '#worker/testing/faults.ts';
import { rotateKeys } from './rotate-signing-keys.ts';
import { insertSigningKey, signingKeys } from './signing-keys.ts';

/** The database of another isolate: no keys are cached for this binding. */
const freshDb = () => openDb(withMethods(env.DB, {}));
const SECRET = 'the secret of this test';
const statuses = async () =>
  (
    await env.DB.prepare('SELECT status FROM auth_keys ORDER BY status').all<{ status: string }>()
  ).results.map((r) => r.status);

beforeEach(async () => {
  await env.DB.exec('DELETE FROM auth_keys');
});
describe('signing keys', () => {
  it('isolates that start at the same time agree on one key', async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, () => signingKeys(freshDb(), SECRET, 0)),
    );
    expect(new Set(all.map((keys) => keys.kid)).size).toBe(1);
    const rows = await env.DB.prepare('SELECT kid, status FROM auth_keys').all();
    expect(rows.results).toEqual([{ kid: all[0]?.kid, status: 'active' }]);
  });

  it('creates a new key if AUTH_SECRET has changed, and drops the old one', async () => {
    const old = await signingKeys(freshDb(), SECRET, 0);
    const fresh = await signingKeys(freshDb(), 'another secret of this test', 0);
    expect(fresh.kid).not.toBe(old.kid);
    expect(fresh.publicKeys.has(old.kid)).toBe(false);
  });

  it('deletes every key, whatever its status, if AUTH_SECRET has changed', async () => {
    const first = await signingKeys(freshDb(), SECRET, 0);
    await rotateKeys(freshDb(), SECRET, 90 * DAY_MS);
    await rotateKeys(freshDb(), SECRET, 90 * DAY_MS + HOUR_MS);
    await insertSigningKey(freshDb(), SECRET, 'next', 90 * DAY_MS + HOUR_MS);
    expect(await statuses()).toEqual(['active', 'next', 'retired']);
    const fresh = await signingKeys(
      freshDb(),
      'another secret of this test',
      90 * DAY_MS + HOUR_MS,
    );
    expect(await statuses()).toEqual(['active']);
    expect([...fresh.publicKeys.keys()]).toEqual([fresh.kid]);
    expect(fresh.kid).not.toBe(first.kid);
  });

  it('deletes a next key that another secret encrypted', async () => {
    const active = await signingKeys(freshDb(), SECRET, 0);
    await insertSigningKey(freshDb(), 'the secret before this one', 'next', 0);
    expect(await rotateKeys(freshDb(), SECRET, 2 * HOUR_MS)).toEqual({});
    expect(await statuses()).toEqual(['active']);
    expect((await signingKeys(freshDb(), SECRET, 2 * HOUR_MS)).kid).toBe(active.kid);
  });

  it('a key of another row is not accepted under its id', async () => {
    await signingKeys(freshDb(), SECRET, 0);
    await insertSigningKey(freshDb(), SECRET, 'next', 0);
    await env.DB.exec(
      "UPDATE auth_keys SET private_jwk = (SELECT private_jwk FROM auth_keys WHERE status = 'active')",
    );
    await signingKeys(freshDb(), SECRET, 0);
    expect(await statuses()).toEqual(['active']);
  });

  it('two isolates that activate a key at the same time retire one', async () => {
    await signingKeys(freshDb(), SECRET, 0);
    const due = 90 * DAY_MS;
    await rotateKeys(freshDb(), SECRET, due);
    let isFirst = true;
    const slow = beforeBatch(env.DB, async () => {
      if (isFirst) await rotateKeys(freshDb(), SECRET, due + HOUR_MS);
      isFirst = false;
    });
    await rotateKeys(openDb(slow), SECRET, due + 2 * HOUR_MS);
    const { results } = await env.DB.prepare(
      'SELECT status, retired_at FROM auth_keys ORDER BY status',
    ).all();
    expect(results).toEqual([
      { status: 'active', retired_at: null },
      { status: 'retired', retired_at: due + HOUR_MS },
    ]);
  });

  it('a retired key is published for two hours, and then deleted', async () => {
    await signingKeys(freshDb(), SECRET, 0);
    const retiredAt = 90 * DAY_MS + HOUR_MS;
    for (const now of [90 * DAY_MS, retiredAt]) await rotateKeys(freshDb(), SECRET, now);
    const publishedAt = async (now: number) => {
      await rotateKeys(freshDb(), SECRET, now);
      return (await signingKeys(freshDb(), SECRET, now)).publicJwks.length;
    };
    const end = retiredAt + 2 * HOUR_MS;
    expect([await publishedAt(end), await publishedAt(end + 1)]).toEqual([2, 1]);
  });

  it('isolates that notice a new AUTH_SECRET at the same time agree on one key', async () => {
    await signingKeys(freshDb(), SECRET, 0);
    const all = await Promise.all(
      Array.from({ length: 5 }, () => signingKeys(freshDb(), 'another secret of this test', 0)),
    );
    expect(new Set(all.map(({ kid }) => kid)).size).toBe(1);
    expect(await statuses()).toEqual(['active']);
  });

  it('caches the keys, and reloads them for an unknown one every 30 s at most', async () => {
    let reads = 0;
    const db = openDb(
      withMethods(env.DB, {
        prepare: (query: string) => {
          reads += 1;
          return env.DB.prepare(query);
        },
      }),
    );
    await signingKeys(db, SECRET, 0);
    const first = reads;
    await signingKeys(db, SECRET, 1000);
    for (let i = 0; i < 5; i += 1) await signingKeys(db, SECRET, 20_000, 'unknown');
    expect(reads).toBe(first);
    for (let i = 0; i < 5; i += 1) await signingKeys(db, SECRET, 31_000, 'unknown');
    expect(reads).toBe(first + 1);
    await signingKeys(db, SECRET, 31_000 + 600_001);
    expect(reads).toBe(first + 2);
  });
});
