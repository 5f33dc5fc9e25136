import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { readLastVerification, verifyTotals } from '#worker/clicks/maintenance/verify-totals.ts';
import { openDb } from '#worker/db/client.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow, rowsOf } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { findInDatabase } from '#worker/testing/scan.ts';
import { backUpNightly } from './back-up-nightly.ts';
import { partStoreOf, raiseLinkIdMark, readLinkIdMark } from './copies.ts';
import { copyKeyOf } from './backup-format.ts';
import { reconcilePlatformCopy } from './reconcile-edge.ts';
import { restoreBackup } from './restore-backup.ts';

const db = openDb(env.DB);
const NOW = Date.now();
const DATE = new Date(NOW - 2 * HOUR_MS).toISOString().slice(0, 10);
const KEPT = Array.from({ length: 40 }, (_, i) => i + 1);
const LATE = Array.from({ length: 100 }, (_, i) => i + 5_001);
const UNPUBLISHED = 9_000;
const AFTER = 'https://example.org/after';
const RULES = [
  { if: { country: ['BR'] }, to: 'https://example.org/br' },
  { if: { device: ['ios'] }, to: 'https://example.org/app' },
];
const RESTORE = {
  replace: false,
  reopen: false,
  unverified: false,
  key: copyKeyOf(env.AUTH_SECRET ?? ''),
};
const store = partStoreOf(env, DATE);
/** Clicked before the copy; delivered again after the restore. */
const counted = makeWindow(
  KEPT.flatMap((id) => Array.from({ length: id % 4 }, () => makeClick(id, { t: NOW - HOUR_MS }))),
);

let owner: Person;
let totalsInCopy: unknown;
let totalsByPerson: unknown;

/** HEAD, which counts no click. */
const open = (code: string) => call(`/${code}`, { method: 'HEAD' }, { LINK_MEMORY_MS: '0' });
const shorten = (alias: string) =>
  call('/api/shorten', {
    json: { longUrl: `https://example.org/${alias}`, customCode: alias },
    headers: owner.headers,
  });
const change = (code: string, json: unknown) =>
  call(`/api/links/${code}`, { method: 'PATCH', json, headers: owner.headers });
const rowOf = (code: string) =>
  env.DB.prepare('SELECT * FROM links WHERE code = ?').bind(code).first();
const totals = async () =>
  (
    await env.DB.prepare(
      'SELECT link_id, human, bot, prefetch, visitors, first_at, last_at FROM link_totals',
    ).all()
  ).results;
const statusOf = async (codes: readonly string[]) => [
  ...new Set(await Promise.all(codes.map(async (code) => (await open(code)).status))),
];

async function emptyDatabase(): Promise<void> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'd1%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  await env.DB.batch([
    ...results.map(({ name }) => env.DB.prepare(`DELETE FROM ${name}`)),
    env.DB.prepare('DELETE FROM sqlite_sequence'),
  ]);
}

beforeAll(async () => {
  owner = await makePerson({ plan: 'premium', now: NOW - DAY_MS });
  await makeLinks(KEPT, owner.id);
  await publishLinks(env, KEPT, NOW);
  for (const alias of ['edited', 'stopped', 'held', 'paused'])
    expect((await shorten(alias)).status).toBe(201);
  for (const note of [owner.email, ''])
    expect((await change('held', { title: owner.email, note })).status).toBe(200);
  expect((await shorten('first-name')).status).toBe(201);
  expect((await change('first-name', { customCode: 'second-name' })).status).toBe(200);
  expect((await shorten('ruled')).status).toBe(201);
  expect((await change('ruled', { rules: RULES, fallbackUrl: AFTER })).status).toBe(200);
  await foldWindows(env.DB, [counted], NOW);
  await raiseLinkIdMark(env);
  totalsInCopy = await totals();
  totalsByPerson = await rowsOf('users');
  // As the job runs: one step at a time.
  for (let run = 0, left = 1; left > 0; run++) {
    let steps = 0;
    const result = await backUpNightly(env, NOW, {
      canContinue: () => steps++ < 3,
      kvWrites: () => 100,
    });
    left = result.left ?? 0;
    if (run === 0) expect(left).toBe(1);
  }

  await makeLinks(LATE, owner.id);
  await publishLinks(env, LATE, NOW);
  expect((await shorten('late')).status).toBe(201);
  // KV does not know it yet.
  await makeLinks([UNPUBLISHED], owner.id);
  await foldWindows(
    env.DB,
    [makeWindow([...KEPT, ...LATE, UNPUBLISHED].map((id) => makeClick(id)))],
    NOW,
  );
  expect(
    (
      await change('second-name', {
        customCode: 'third-name',
        longUrl: 'https://example.net/third',
      })
    ).status,
  ).toBe(200);
  expect((await change('edited', { longUrl: 'https://example.net/elsewhere' })).status).toBe(200);
  expect(
    (await call('/api/links/stopped', { method: 'DELETE', headers: owner.headers })).status,
  ).toBeLessThan(300);
  expect((await change('ruled', { rules: [], fallbackUrl: '' })).status).toBe(200);
  const stoppedInKv = async (code: string, reason: object) => {
    const i = Number((await rowOf(code))?.['id']);
    await env.LINKS.put(code, JSON.stringify({ v: 7, i, s: 'd', u: '', e: 0, ...reason }));
  };
  await stoppedInKv('held', { r: 'Phishing.' });
  await stoppedInKv('paused', {});
});

describe('restoring a backup', () => {
  /** What must hold after every restore. `gone`: codes made after the copy. */
  async function expectRestored(gone: readonly string[]): Promise<void> {
    expect(await totals()).toEqual(totalsInCopy);
    expect(await rowsOf('users')).toEqual(totalsByPerson);
    expect(await statusOf([...KEPT.map((id) => `link${id}`), 'edited'])).toEqual([302]);
    expect((await open('edited')).headers.get('Location')).toBe('https://example.org/edited');
    for (const code of ['first-name', 'second-name'])
      expect((await open(code)).headers.get('Location')).toBe('https://example.org/first-name');
    expect((await open('stopped')).status).toBe(410);
    expect(
      await (
        await call('/held', { headers: { Accept: 'application/json' } }, { LINK_MEMORY_MS: '0' })
      ).json(),
    ).toMatchObject({
      error: expect.stringContaining('Phishing.'),
    });
    // Its owner can enable it again: nobody else gives no reason.
    expect(await rowOf('paused')).toMatchObject({ status: 'disabled', disabled_by: 'owner' });
    await expectRules();
    expect(await statusOf(gone)).toEqual([404]);
    expect((await shorten('late')).status).toBe(409);

    // A late click, and a window that was counted before the copy.
    await foldWindows(
      env.DB,
      [makeWindow([...LATE, UNPUBLISHED].map((id) => makeClick(id))), counted],
      NOW,
    );
    expect(await totals()).toEqual(totalsInCopy);
    await verifyTotals(env, NOW);
    expect(await readLastVerification(db)).toMatchObject({ ok: true });
  }

  /** The link that lost its rules after the copy has them again, in D1, in KV and for moderation. */
  async function expectRules(): Promise<void> {
    const row = await rowOf('ruled');
    expect(row).toMatchObject({
      status: 'conditional',
      rules: JSON.stringify(RULES),
      fallback_url: AFTER,
    });
    const text = await env.LINKS.get('ruled');
    expect(JSON.parse(text ?? '')).toMatchObject({ s: 'd', u: '', g: { t: RULES, o: AFTER } });
    const iPhone = { 'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)' };
    const response = await call(
      '/ruled',
      { method: 'HEAD', headers: iPhone },
      { LINK_MEMORY_MS: '0' },
    );
    expect(response.headers.get('Location')).toBe('https://example.org/app');
    const others = await env.DB.prepare(
      'SELECT href FROM link_destinations WHERE link_id = ? ORDER BY href',
    )
      .bind(row?.['id'])
      .all<{ href: string }>();
    expect(others.results.map(({ href }) => href)).toEqual(
      [AFTER, ...RULES.map(({ to }) => to)].toSorted(),
    );
  }

  const late = [...LATE, UNPUBLISHED].map((id) => `link${id}`).concat('late', 'third-name');
  const ids = async () =>
    Number(await env.DB.prepare('SELECT max(id) AS id FROM links').first<number>('id'));

  it('changes nothing in a database with rows unless it may replace them', async () => {
    const before = await rowsOf('links');
    expect(await restoreBackup(env, store, RESTORE, NOW)).toMatchObject({
      ok: false,
      reason: 'not_empty',
    });
    expect(await rowsOf('links')).toEqual(before);
  });

  it('changes nothing when a part was damaged', async () => {
    const damaged = {
      ...store,
      read: async (name: string) =>
        name.startsWith('000002') ? new Uint8Array([1]) : store.read(name),
    };
    const before = await rowsOf('links');
    expect(await restoreBackup(env, damaged, { ...RESTORE, replace: true }, NOW)).toMatchObject({
      ok: false,
      reason: 'damaged',
    });
    expect(await rowsOf('links')).toEqual(before);
  });

  it.each([
    ['a newer schema', '9999_later.sql', 'Update Hop'],
    [
      'a version before 1.0.0',
      '0026_delivery_lines.sql',
      'This backup was made by a version of Hop before 1.0.0, which this version cannot upgrade. Nothing was changed.',
    ],
  ])('refuses a backup of %s', async (_, schema, message) => {
    const before = await rowsOf('links');
    const other = {
      ...store,
      read: async (name: string) => {
        const bytes = await store.read(name);
        const text = new TextDecoder().decode(bytes ?? new Uint8Array());
        return name === 'manifest.json'
          ? new TextEncoder().encode(text.replace(/"schema":"[^"]*"/, `"schema":"${schema}"`))
          : bytes;
      },
    };
    expect(
      await restoreBackup(env, other, { ...RESTORE, replace: true, unverified: true }, NOW),
    ).toMatchObject({
      ok: false,
      reason: 'other_schema',
      message: expect.stringContaining(message),
    });
    expect(await rowsOf('links')).toEqual(before);
  });

  it('[A11] replaces the database that it was made of', async () => {
    const last = await ids();
    // The first attempt ends while it loads: each part has been read once before, to verify it.
    const verified = new Set<string>();
    const failing = {
      ...store,
      read: (name: string) => {
        if (name.startsWith('000003') && verified.has(name)) throw new Error('interrupted');
        verified.add(name);
        return store.read(name);
      },
    };
    await expect(restoreBackup(env, failing, { ...RESTORE, replace: true }, NOW)).rejects.toThrow(
      'interrupted',
    );
    expect(await restoreBackup(env, store, { ...RESTORE, replace: true }, NOW)).toMatchObject({
      ok: true,
      lost: 103,
      stopped: 3,
    });
    await expectRestored(late);
    expect(await ids()).toBeGreaterThan(last);
    expect((await shorten('after-restore')).status).toBe(201);
  });

  it('[A11] restores into an empty database, whose id sequence has begun again', async () => {
    const last = await ids();
    await emptyDatabase();
    expect(await restoreBackup(env, store, RESTORE, NOW)).toMatchObject({
      ok: true,
      lost: 104,
      stopped: 3,
    });
    await expectRestored([...late, 'after-restore']);
    expect(Number((await rowOf('late'))?.['id'])).toBeGreaterThan(last);
  });

  it('brings back what was stopped after the copy only if asked to', async () => {
    expect(
      await restoreBackup(env, store, { ...RESTORE, replace: true, reopen: true }, NOW),
    ).toMatchObject({
      ok: true,
      stopped: 0,
    });
    expect(await statusOf(['stopped', 'held', 'paused'])).toEqual([302]);
  });

  it('[A20] accounts that were deleted after the copy stay deleted', async () => {
    const response = await call('/api/account', {
      method: 'DELETE',
      json: { confirm: 'delete my account', links: 'keep' },
      headers: owner.headers,
    });
    expect(response.status).toBeLessThan(300);
    expect(await restoreBackup(env, store, { ...RESTORE, replace: true }, NOW)).toMatchObject({
      ok: true,
      deletedAccounts: 1,
    });
    expect(await rowsOf('users')).toEqual([]);
    expect(await findInDatabase(new RegExp(`${owner.id}|${owner.email}`))).toEqual([]);
    expect((await rowOf('edited'))?.['user_id']).toMatch(/^deleted-/);
    expect((await open('edited')).status).toBe(302);
  });

  it('reconciles a database that the platform has restored', async () => {
    const lost = ['link3', 'link4'];
    const mark = await readLinkIdMark(env);
    await env.DB.prepare("DELETE FROM links WHERE code IN ('link3', 'link4')").run();
    await env.DB.prepare("UPDATE sqlite_sequence SET seq = 40 WHERE name = 'links'").run();
    expect(await reconcilePlatformCopy(env, { reopen: false }, NOW)).toMatchObject({ lost: 2 });
    expect(await statusOf(lost)).toEqual([404]);
    expect(Number((await rowOf('link3'))?.['id'])).toBeGreaterThan(mark);
  });
});
