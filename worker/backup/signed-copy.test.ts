import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { rowsOf } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { backUpNightly } from './back-up-nightly.ts';
import {
  decodeJson,
  encodeJson,
  encodePart,
  MANIFEST,
  MANIFEST_MAC,
  sha256,
  type PartStore,
  type Rows,
  copyKeyOf,
  macOf,
  readStoredCopyKey,
} from './backup-format.ts';
import { dateOf, partStoreOf } from './copies.ts';
import { restoreBackup } from './restore-backup.ts';

const db = openDb(env.DB);
const NOW = Date.UTC(2026, 10, 22, 3);
const DATE = dateOf(NOW);
const store = partStoreOf(env, DATE);
const KEY = copyKeyOf(env.AUTH_SECRET ?? '');
const OPTIONS = { replace: true, reopen: false, unverified: false, key: KEY };
const few = { canContinue: () => true, kvWrites: () => 0 };
const NO_ROWS = { users: 0 };

type Manifest = {
  schema: string;
  tables: Record<string, unknown>;
  parts: { name: string; bytes: number; sha256: string }[];
};

const readManifest = async (from: PartStore = store): Promise<Manifest> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the copy of this test
  decodeJson((await from.read(MANIFEST)) ?? new Uint8Array()) as Manifest;

/** The copy with some objects replaced, or removed where `others` says null. */
const withOthers = (others: Record<string, Uint8Array | null>): PartStore => ({
  ...store,
  read: async (name) => (name in others ? (others[name] ?? null) : store.read(name)),
});

/**
 * The copy as somebody makes it who can write to the bucket: one more part with these rows, and a
 * manifest that fits it.
 */
async function withRows(...groups: Rows[]): Promise<PartStore> {
  const manifest = await readManifest();
  const bytes = encodePart(groups);
  const tables = { ...manifest.tables };
  for (const { table, lines } of groups) {
    const { rows = 0 } = { ...NO_ROWS, ...Object(tables[table]) };
    tables[table] = { rows: Number(rows) + lines.length, sql: 'CREATE TABLE owned (id)' };
  }
  const part = { name: 'more.ndjson.gz', bytes: bytes.length, sha256: sha256(bytes) };
  return withOthers({
    [part.name]: bytes,
    [MANIFEST]: encodeJson({ ...manifest, tables, parts: [...manifest.parts, part] }),
  });
}

const adminRow = (columns: string[], values: unknown[]): Rows => ({
  table: 'users',
  columns,
  lines: [JSON.stringify(values)],
});
const FORGED = adminRow(
  ['id', 'email', 'role', 'created_at', 'last_seen_at'],
  ['x', 'x@example.com', 'admin', 1, 1],
);
const hasTable = (name: string) =>
  env.DB.prepare('SELECT 1 FROM sqlite_master WHERE name = ?1').bind(name).first();

beforeAll(async () => {
  await makePerson({ now: NOW });
  await backUpNightly(env, NOW);
});

describe('the signature of a copy', () => {
  it('[T50] lets nobody but the Worker write what is restored', async () => {
    const before = await rowsOf('users');
    const unsigned = withOthers({ [MANIFEST_MAC]: null });
    const mine = encodeJson(await readManifest(await withRows(FORGED)));
    const otherKey = copyKeyOf('a secret of somebody else');
    const selfSigned = withOthers({
      [MANIFEST]: mine,
      [MANIFEST_MAC]: new TextEncoder().encode(macOf(otherKey, 'manifest', mine)),
    });
    const results = [
      await restoreBackup(env, await withRows(FORGED), OPTIONS, NOW),
      await restoreBackup(env, selfSigned, OPTIONS, NOW),
      await restoreBackup(env, unsigned, OPTIONS, NOW),
      await restoreBackup(env, store, { ...OPTIONS, key: otherKey }, NOW),
      await restoreBackup(env, store, { ...OPTIONS, key: null }, NOW),
    ];
    expect(results.map((result) => !result.ok && result.reason)).toEqual(
      Array.from({ length: 5 }, () => 'unverified'),
    );
    const messages = results.map((result) => (result.ok ? '' : result.message));
    expect(messages.filter((message) => !message.includes('--unverified'))).toEqual([]);
    expect(messages[2]).toContain('is not signed');
    expect(messages[3]).toContain('another AUTH_SECRET');
    expect(messages[4]).toContain('cannot be checked');
    expect(await rowsOf('users')).toEqual(before);
  });

  it('[T50] notices a part that was swapped', async () => {
    const [first] = (await readManifest()).parts;
    const swapped = withOthers({ [first?.name ?? '']: encodePart([FORGED]) });
    expect(await restoreBackup(env, swapped, OPTIONS, NOW)).toMatchObject({
      ok: false,
      reason: 'damaged',
    });
  });

  it('[T50] notices a part that is swapped after it was verified', async () => {
    const copy = await readManifest();
    const people = copy.parts.at(-1)?.name ?? '';
    let reads = 0;
    const swapping: PartStore = {
      ...store,
      read: (name) =>
        name === people && ++reads === 2 ? Promise.resolve(encodePart([FORGED])) : store.read(name),
    };
    await expect(restoreBackup(env, swapping, OPTIONS, NOW)).rejects.toThrow(
      'has changed since the restore began',
    );
    expect((await rowsOf('users')).filter(({ id }) => id === 'x')).toEqual([]);
    expect(await restoreBackup(env, store, OPTIONS, NOW)).toMatchObject({ ok: true });
  });

  it('[T50] notices an older copy under a newer date', async () => {
    const date = dateOf(NOW + DAY_MS);
    expect(await restoreBackup(env, store, { ...OPTIONS, date }, NOW)).toMatchObject({
      ok: false,
      reason: 'damaged',
    });
    expect(await restoreBackup(env, store, { ...OPTIONS, date: DATE }, NOW)).toMatchObject({
      ok: true,
    });
  });

  it('[T50] restores a copy without a signature only if asked to', async () => {
    const unsigned = withOthers({ [MANIFEST_MAC]: null });
    expect(await restoreBackup(env, unsigned, { ...OPTIONS, unverified: true }, NOW)).toMatchObject(
      { ok: true },
    );
  });

  it('[T50] signs no progress that somebody else wrote', async () => {
    const night = NOW + 3 * DAY_MS;
    const later = partStoreOf(env, dateOf(night));
    expect(await backUpNightly(env, night, { ...few, canContinue: once() })).toMatchObject({
      left: 1,
    });
    const progress = new TextDecoder().decode(
      (await later.read('progress.json')) ?? new Uint8Array(),
    );
    const bytes = encodePart([FORGED]);
    const part = { name: 'more.ndjson.gz', bytes: bytes.length, sha256: sha256(bytes) };
    const changed = progress.replace(
      String.raw`\"parts\":[`,
      String.raw`\"parts\":[${JSON.stringify(JSON.stringify(part)).slice(1, -1)},`,
    );
    expect(changed).not.toBe(progress);
    await later.write('progress.json', new TextEncoder().encode(changed));
    await later.write(part.name, bytes);
    expect((await backUpNightly(env, night, few)).left).toBeUndefined();
    expect((await readManifest(later)).parts.map(({ name }) => name)).not.toContain(part.name);
    expect(await restoreBackup(env, later, OPTIONS, NOW)).toMatchObject({ ok: true });
  });
});

describe('what a copy may name', () => {
  const restore = async (...groups: Rows[]) =>
    restoreBackup(env, await withRows(...groups), { ...OPTIONS, unverified: true }, NOW);

  it('[T50] a restore creates no table, and writes to none that copies do not hold', async () => {
    const claim = {
      table: 'admin_claims',
      columns: ['token_hash', 'expires_at'],
      lines: ['["x",9999999999999]'],
    };
    const owned = { table: 'owned', columns: ['id'], lines: ['[1]'] };
    expect(await restore(claim, owned)).toMatchObject({
      ok: true,
      skipped: ['admin_claims', 'owned'],
    });
    expect(await rowsOf('admin_claims')).toEqual([]);
    expect(await hasTable('owned')).toBeNull();
  });

  it('[T50] a restore runs no SQL that replaces a name', async () => {
    const before = await rowsOf('users');
    const column = `id") SELECT 'x' FROM json_each(?1) WHERE 0; DROP TABLE posts; --`;
    expect(await restore(adminRow([column], ['x']))).toMatchObject({
      ok: false,
      reason: 'damaged',
    });
    const table = `users" (id) SELECT 'x' FROM json_each(?1); --`;
    expect(await restore({ table, columns: ['id'], lines: ['["x"]'] })).toMatchObject({
      ok: true,
      skipped: [table],
    });
    expect(await hasTable('posts')).not.toBeNull();
    expect(await rowsOf('users')).toEqual(before);
  });

  it('[T50] the restore makes the tables of days by its own statement', async () => {
    expect(await hasTable('click_windows_12345')).toBeNull();
    expect(
      await restore({ table: 'click_windows_12345', columns: ['id'], lines: ['["w"]'] }),
    ).toMatchObject({ skipped: [] });
    expect(await env.DB.prepare('SELECT id FROM click_windows_12345').first('id')).toBe('w');
  });
});

describe('the key of copies in the database', () => {
  it('[T50] every run of the job stores the key of copies, which AUTH_SECRET changes', async () => {
    expect(await readStoredCopyKey(db)).toEqual(KEY);
    await env.DB.prepare('DELETE FROM system_facts').run();
    expect(await readStoredCopyKey(db)).toBeNull();
    expect(await backUpNightly(env, NOW)).toEqual({});
    expect(await readStoredCopyKey(db)).toEqual(KEY);
    await backUpNightly({ ...env, AUTH_SECRET: 'the next secret' }, NOW);
    expect(await readStoredCopyKey(db)).toEqual(copyKeyOf('the next secret'));
  });

  it('[T50] no copy contains the key, and without AUTH_SECRET a copy has no signature', async () => {
    const night = NOW + 5 * DAY_MS;
    const { AUTH_SECRET: _, ...unset } = env;
    expect((await backUpNightly(unset, night)).left).toBeUndefined();
    const unsigned = partStoreOf(env, dateOf(night));
    expect(await unsigned.read(MANIFEST_MAC)).toBeNull();
    expect(Object.keys((await readManifest(unsigned)).tables)).not.toContain('system_facts');
  });
});

/** True once. */
function once(): () => boolean {
  let left = 1;
  return () => left-- > 0;
}
