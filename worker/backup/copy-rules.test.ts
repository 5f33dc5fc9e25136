import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { makeLinks, rowsOf } from '#worker/testing/clicks.ts';
import { copyKeyOf, decodeJson, decodePart, encodeJson, type PartStore } from './backup-format.ts';
import { writeLinkIdMark } from './copies.ts';
import { raiseLinkIds } from './reconcile-edge.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';
import { startBackup, writeBackup, type RunSize } from './write-backup.ts';

const db = openDb(env.DB);
const NOW = Date.UTC(2027, 0, 10);
const KEY = copyKeyOf(env.AUTH_SECRET ?? '');
const OPTIONS = { replace: true, reopen: false, unverified: true, key: null };
const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run();

/** A copy in memory. `written` has the names of its parts in order. */
async function makeCopy(size?: RunSize): Promise<{ store: PartStore; written: string[] }> {
  const parts = new Map<string, Uint8Array>();
  const written: string[] = [];
  const store: PartStore = {
    read: (name) => Promise.resolve(parts.get(name) ?? null),
    write: (name, bytes) => {
      written.push(name);
      parts.set(name, bytes);
      return Promise.resolve();
    },
  };
  const progress = await startBackup(db, NOW);
  await writeBackup(db, store, progress, KEY, () => NOW + 5, undefined, size);
  return { store, written };
}
const manifestOf = async (store: PartStore) =>
  Object(decodeJson((await store.read('manifest.json')) ?? new Uint8Array()));

const sequenceOf = (name: string) =>
  env.DB.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').bind(name).first('seq');
const setSequence = (name: string, seq: number) =>
  run('UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1', name, seq);

beforeEach(async () => {
  await run('DELETE FROM users');
  await run('DELETE FROM auth_users');
  await run('DELETE FROM blocklist');
});

describe('writeBackup', () => {
  it('writes the manifest last, so that an unsigned copy never looks finished', async () => {
    const { store, written } = await makeCopy();
    expect(written.at(-1)).toBe('manifest.json');
    expect(written.at(-2)).toMatch(/^manifest/);
    expect(await manifestOf(store)).toMatchObject({ startedAt: NOW, finishedAt: NOW + 5 });
  });

  it('fills parts by what rows hold, also with many clicks on few days', async () => {
    const ids = Array.from({ length: 800 }, (_, i) => 7_000 + i);
    await makeLinks(ids);
    // Many clicks with few different values.
    const places = Array.from({ length: 60 }, (_, i) => [`IN|KA|City ${i}`, 83]).flat();
    await run(
      `INSERT INTO link_totals (link_id, human, first_at, last_at, day, counts)
       SELECT value, 5000, ?2, ?2 + 3 * ?3, ?2 / ?3 + 3, ?4 FROM json_each(?1)`,
      JSON.stringify(ids),
      NOW,
      DAY_MS,
      JSON.stringify([5000, 0, 0, 0, [9, 5000], 0, places]),
    );
    const { store, written } = await makeCopy({ partChars: 100_000, parts: Infinity });
    const sizes: number[] = [];
    for (const name of written.filter((part) => part.endsWith('.gz'))) {
      const groups = decodePart((await store.read(name)) ?? new Uint8Array());
      if (groups[0]?.table === 'links')
        sizes.push(groups.flatMap(({ lines }) => lines).join('').length);
    }
    const all = sizes.reduce((sum, size) => sum + size, 0);
    expect(all).toBeGreaterThan(1_000_000);
    expect(sizes.length).toBeLessThan(1.6 * Math.ceil(all / 100_000));
    expect(Math.max(...sizes)).toBeLessThan(1.6 * 100_000);
  });

  it('copies a table with more columns than D1 allows arguments of a function', async () => {
    const columns = Array.from({ length: 70 }, (_, i) => `c${i}`);
    await run(`CREATE TABLE wide (id INTEGER PRIMARY KEY, ${columns.join(' TEXT, ')} TEXT)`);
    const values = columns.map((_, i) => ['[', ']', null, '"]', 'text'][i % 5]);
    await run(
      `INSERT INTO wide SELECT 1, ${columns.map((_, i) => `?1 ->> ${i}`).join(', ')}`,
      JSON.stringify(values),
    );
    const before = await rowsOf('wide');
    expect(Object.values(before[0] ?? {})).toEqual([1, ...values]);
    const { store } = await makeCopy();
    await run('DELETE FROM wide');
    expect(await restoreBackup(env, store, OPTIONS, NOW)).toMatchObject({ ok: true });
    expect(await rowsOf('wide')).toEqual(before);
    await run('DROP TABLE wide');
  });
});

describe('verifyBackup', () => {
  it.each([1, -1])('notices a table that has %i rows less than the manifest says', async (less) => {
    await run(`INSERT INTO blocklist (kind, value, created_at) VALUES ('host', 'a.example', 1)`);
    const { store } = await makeCopy();
    const manifest = await manifestOf(store);
    manifest.tables.blocklist.rows += less;
    await store.write('manifest.json', encodeJson(manifest));
    expect(await verifyBackup(store, { key: null, unverified: true })).toMatchObject({
      reason: 'damaged',
      message: 'The backup lacks rows of blocklist. Use another copy.',
    });
  });
});

describe('restoreBackup', () => {
  it.each([
    `INSERT INTO users (id, email, created_at, last_seen_at) VALUES ('u', '', 1, 1)`,
    `INSERT INTO links (code, target, target_host, created_at, updated_at) VALUES ('full', 'https://a.example/', 'a.example', 1, 1)`,
  ])('replaces nothing unasked in a database that is not empty: %s', async (statement) => {
    await run('DELETE FROM links');
    const { store } = await makeCopy();
    await run(statement);
    expect(await restoreBackup(env, store, { ...OPTIONS, replace: false }, NOW)).toMatchObject({
      ok: false,
      reason: 'not_empty',
    });
  });

  it('gives no id twice: counters have the higher value of copy and database', async () => {
    await run(`INSERT INTO admin_log (at, admin_id, action, subject) VALUES (1, 'x', 'x', 'x')`);
    await setSequence('admin_log', 50);
    const { store } = await makeCopy();
    await setSequence('admin_log', 90);
    await restoreBackup(env, store, OPTIONS, NOW);
    expect(await sequenceOf('admin_log')).toBe(90);
    await setSequence('admin_log', 20);
    await restoreBackup(env, store, OPTIONS, NOW);
    expect(await sequenceOf('admin_log')).toBe(50);
  });

  it('applies a newer entry of the blocklist to the links of the copy', async () => {
    const { store } = await makeCopy();
    await run(
      `INSERT INTO blocklist (kind, value, created_at, applied_at) VALUES ('host', 'new.example', 1, 7)`,
    );
    await restoreBackup(env, store, OPTIONS, NOW);
    expect(await rowsOf('blocklist')).toMatchObject([{ value: 'new.example', applied_at: 0 }]);
  });
});

describe('raiseLinkIds', () => {
  it('leaves room for unknown ids only where no mark names them', async () => {
    await run(`INSERT INTO links (code, target, target_host, created_at, updated_at)
      VALUES ('seq', 'https://a.example/', 'a.example', 1, 1)`);
    await env.BACKUPS.delete('link-id-mark.json');
    await setSequence('links', 100);
    await raiseLinkIds(env, 0);
    expect(await sequenceOf('links')).toBe(1_000_100);
    await writeLinkIdMark(env, 1_500_000);
    await raiseLinkIds(env, 0);
    expect(await sequenceOf('links')).toBe(2_500_000);
    await raiseLinkIds(env, 9_000_000);
    expect(await sequenceOf('links')).toBe(9_000_000);
  });
});
