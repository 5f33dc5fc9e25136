import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { readLastVerification, verifyTotals } from '#worker/clicks/maintenance/verify-totals.ts';
import { openDb } from '#worker/db/client.ts';
import { makeClick, makeLinks, makeWindow, rowsOf, storedDays } from '#worker/testing/clicks.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { backUpNightly } from './back-up-nightly.ts';
import { findBase } from './base.ts';
import { copyKeyOf, MANIFEST, parseManifest } from './backup-format.ts';
import { dateOf, partStoreOf } from './copies.ts';
import { restoreBackup } from './restore-backup.ts';

const db = openDb(env.DB);
/** Eight days before a new period of days, and a month that closes. */
const START = Date.UTC(2027, 1, 20, 3);
const NIGHTS = 10;
const LINKS = 40;
const nightOf = (day: number): number => START + day * DAY_MS;
const RESTORE = {
  replace: true,
  reopen: true,
  unverified: false,
  key: copyKeyOf(env.AUTH_SECRET ?? ''),
};
const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run();

/** All that a night must bring back. Months are sums of days; verifyTotals compares them. */
const readState = async () => ({
  links: await rowsOf('(SELECT id, code, target, status FROM links WHERE id < 1000)'),
  tags: await rowsOf('link_tags'),
  holds: await rowsOf('link_holds'),
  totals: await rowsOf(
    '(SELECT link_id, rev, human, visitors, first_at, last_at FROM link_totals)',
  ),
  days: await storedDays(),
});
const states: Awaited<ReturnType<typeof readState>>[] = [];
/** The full copy that the copy of each night adds to. */
const bases: string[] = [];
const rowsRead: number[] = [];

/** A day of clicks, some of them twelve days late, and of changes that delete rows. */
async function liveOneDay(day: number): Promise<void> {
  const now = nightOf(day);
  const at = (link: number, ago: number) => makeClick(link, { t: now - ago * DAY_MS - HOUR_MS });
  const clicked = [1, 2, 3, 4, 5, 6].filter((link) => (day + link) % link === 0);
  await foldWindows(env.DB, [makeWindow(clicked.map((link) => at(link, 0)))], now);
  const late = [at(1 + (day % 4), (5 * day) % 13), at(4, 12)];
  await foldWindows(env.DB, [makeWindow(late)], now);
  if (day === 4) await foldWindows(env.DB, [makeWindow([at(8, 0), at(9, 3)])], now);
  await run('DELETE FROM link_tags WHERE link_id = ?1', day);
  await run('DELETE FROM link_holds WHERE link_id = ?1', day);
  await run(`UPDATE links SET status = 'deleted', version = version + 1 WHERE id = ?1`, 20 + day);
  await makeLinks([50 + day]);
  await closeMonths(env, now);
}

async function readBase(date: string): Promise<string> {
  const manifest = await partStoreOf(env, date).read(MANIFEST);
  return parseManifest(manifest ?? new Uint8Array())?.base?.date ?? 'full';
}

beforeAll(async () => {
  const ids = Array.from({ length: LINKS }, (_, i) => i + 1);
  await makeLinks(ids);
  await run(`INSERT INTO link_tags SELECT links.id, t.value, 1 FROM links, json_each('[1,2]') t`);
  await run(`INSERT INTO link_holds (link_id, kind, value, reason, created_at)
    SELECT id, 'link', '', 'spam', 1 FROM links WHERE id < 20`);
  // Every link has days of the last half year. The latest ones of 8 and 9 are old.
  const weeks = Array.from({ length: 28 }, (_, i) => START - (28 - i) * 7 * DAY_MS);
  const clicks = weeks.flatMap((t, i) =>
    ids.filter((id) => i < 7 || (id !== 8 && id !== 9)).map((id) => makeClick(id, { t })),
  );
  await foldWindows(env.DB, [makeWindow(clicks)], START - DAY_MS);
  await closeMonths(env, START - 20 * DAY_MS);
  for (let day = 0; day < NIGHTS; day++) {
    await liveOneDay(day);
    const counted = countRowsRead(env.DB);
    await backUpNightly({ ...env, DB: counted.db }, nightOf(day));
    bases.push(await readBase(dateOf(nightOf(day))));
    rowsRead.push(counted.rowsRead());
    states.push(await readState());
  }
});

describe('the nightly copy', () => {
  it('copies in full once a week, and otherwise what the last full copy lacks', () => {
    const [first, second] = [dateOf(nightOf(0)), dateOf(nightOf(7))];
    expect(bases).toEqual(['full', ...Array(6).fill(first), 'full', second, second]);
  });

  it('reads many rows less of each link on the nights between', () => {
    const [night = 0, full = 0] = rowsRead.slice(6);
    console.log(`rows read by night: ${rowsRead.join(', ')}`);
    expect(full - night).toBeGreaterThan(20 * LINKS);
  });

  it.each([3, 9])('restores what the database held in night %i', async (day) => {
    const now = nightOf(NIGHTS);
    const date = dateOf(nightOf(day));
    const options = { ...RESTORE, date };
    expect(await restoreBackup(env, partStoreOf(env, date), options, now)).toMatchObject({
      ok: true,
    });
    expect(await readState()).toEqual(states[day]);
    await closeMonths(env, now);
    await verifyTotals(env, now);
    expect(await readLastVerification(db)).toMatchObject({ ok: true, drift: [] });
    expect(await rowsOf('link_months')).not.toEqual([]);
  });

  it('copies in full after a restore', async () => {
    expect((await backUpNightly(env, nightOf(NIGHTS))).done).toHaveProperty('backup_rows');
  });

  it.each([
    ['after a migration', `UPDATE d1_migrations SET name = '9' || name WHERE id = ?1`],
    [
      'where the platform has put back the database',
      `UPDATE system_facts SET at = at - ?1 WHERE name = 'backup:base'`,
    ],
  ])('copies in full %s', async (_, statement) => {
    const date = dateOf(nightOf(NIGHTS + 1));
    const find = () => findBase(db, partStoreOf(env, date), RESTORE.key, date);
    expect(await find()).toMatchObject({ date: dateOf(nightOf(NIGHTS)) });
    const id = await env.DB.prepare('SELECT max(id) AS id FROM d1_migrations').first<number>('id');
    const [migrations, facts] = [await rowsOf('d1_migrations'), await rowsOf('system_facts')];
    await run(statement, id);
    expect(await find()).toBeUndefined();
    for (const { id: one, name } of migrations)
      await run('UPDATE d1_migrations SET name = ?2 WHERE id = ?1', one, name);
    for (const { name, at } of facts)
      await run('UPDATE system_facts SET at = ?2 WHERE name = ?1', name, at);
  });

  it('copies in full where the last full copy has another signature', async () => {
    const date = dateOf(nightOf(NIGHTS + 1));
    const other = copyKeyOf('another secret of thirty-two characters');
    expect(await findBase(db, partStoreOf(env, date), other, date)).toBeUndefined();
  });

  it('restores nothing without the full copy that a night adds to', async () => {
    const date = dateOf(nightOf(9));
    const store = partStoreOf(env, date);
    const base = partStoreOf(env, dateOf(nightOf(7)));
    const manifest = (await base.read(MANIFEST)) ?? new Uint8Array();
    const before = await readState();
    await base.write(MANIFEST, new TextEncoder().encode(new TextDecoder().decode(manifest) + ' '));
    for (const options of [RESTORE, { ...RESTORE, key: null, unverified: true }])
      expect(await restoreBackup(env, store, options, nightOf(NIGHTS))).toMatchObject({
        reason: 'damaged',
        message: expect.stringContaining(`adds to the full copy of ${dateOf(nightOf(7))}`),
      });
    await base.write(MANIFEST, manifest);
    await base.write('000001.ndjson.gz', new Uint8Array(1));
    expect(await restoreBackup(env, store, RESTORE, nightOf(NIGHTS))).toMatchObject({
      reason: 'damaged',
      message: expect.stringContaining('The part 000001.ndjson.gz'),
    });
    expect(await readState()).toEqual(before);
  });
});
