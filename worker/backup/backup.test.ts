import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import type { JobResult } from '#worker/job-runtime/job-budget.ts';
import { makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { backUpNightly } from './back-up-nightly.ts';
import { decodePart, MANIFEST, parseManifest } from './backup-format.ts';
import { CHOICES, readTables } from './backup-tables.ts';
import {
  copiesToKeep,
  dateOf,
  deleteOldCopies,
  finishedAt,
  listCopies,
  partStoreOf,
  readLastBackup,
  raiseLinkIdMark,
  readLinkIdMark,
} from './copies.ts';
import { startBackup, writeBackup } from './write-backup.ts';

const db = openDb(env.DB);
const NIGHT = Date.UTC(2026, 10, 22, 2);
const everything = { canContinue: () => true, kvWrites: () => 0 };

async function copyText(date: string): Promise<string> {
  const store = partStoreOf(env, date);
  const manifest = parseManifest((await store.read(MANIFEST)) ?? new Uint8Array());
  const parts = await Promise.all(
    (manifest?.parts ?? []).map(async ({ name }) =>
      decodePart((await store.read(name)) ?? new Uint8Array()),
    ),
  );
  return parts
    .flat()
    .flatMap(({ lines }) => lines)
    .join('\n');
}

describe('the tables of a backup', () => {
  it('every table is marked as copied or not', async () => {
    const tables = await readTables(db);
    // Those of a day come and go.
    expect(
      tables
        .map(({ name }) => name)
        .filter((name) => !/_\d{5}$/.test(name))
        .toSorted(),
    ).toEqual(Object.keys(CHOICES).toSorted());
    expect(tables.filter(({ key }) => key.length === 0)).toEqual([]);
    // JSON holds no blob.
    const blobs = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE sql LIKE '% blob%' AND name NOT GLOB '_cf_*'",
    ).all();
    expect(blobs.results).toEqual([]);
  });

  it('[A20] a backup has no session, token, visitor id, signing key or recent click', async () => {
    const secrets = ['session', 'token', 'visitor', 'signing'].map((name) => `secret-${name}`);
    const person = await makePerson();
    await makeLinks([1], person.id);
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(1, { k: 'secret-visitor', t: NIGHT, y: 'Recent City' })])],
      NIGHT,
    );
    const visitor = await env.DB.prepare(
      'SELECT value FROM link_totals, json_each(visitor_sets)',
    ).first<string>('value');
    secrets.push(visitor ?? 'none stored');
    expect(visitor).toHaveLength(10);
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO auth_sessions (id, user_id, refreshed_at, amr, created_at) VALUES ('secret-session', ?1, 1, '[]', 1)",
      ).bind(person.id),
      env.DB.prepare(
        "INSERT INTO auth_one_time_tokens (user_id, kind, token_hash, code_hash, expires_at) VALUES (?1, 'signup', 'secret-token', '', 1)",
      ).bind(person.id),
      env.DB.prepare(
        "INSERT INTO auth_keys (kid, public_jwk, private_jwk, status, created_at) VALUES ('k', '', 'secret-signing', 'active', 1)",
      ),
    ]);
    expect(await backUpNightly(env, NIGHT, everything)).toMatchObject({
      done: { backup_rows: expect.any(Number), copies_deleted: 0 },
    });
    const text = await copyText('2026-11-22');
    const tables = Object.keys(
      parseManifest((await partStoreOf(env, '2026-11-22').read(MANIFEST)) ?? new Uint8Array())
        ?.tables ?? {},
    );
    expect(tables).toContain('link_totals');
    expect(text).toContain(person.email);
    expect(text).toContain('"https://example.com/1"');
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(
      text.split('\n').filter((line) => line.includes(`[1,${NIGHT},`) || line.includes('[[')),
    ).toEqual([]);
  });
});

describe('the nightly copy', () => {
  it('the nightly copy is made once a day, and reports when', async () => {
    expect([dateOf(NIGHT - 1), dateOf(NIGHT)]).toEqual(['2026-11-21', '2026-11-22']);
    expect(await backUpNightly(env, NIGHT + DAY_MS / 2, everything)).toEqual({});
    expect(await readLastBackup(env)).toMatchObject({ date: '2026-11-22' });
    expect((await backUpNightly(env, NIGHT + DAY_MS, everything)).left).toBeUndefined();
    expect(await readLastBackup(env)).toMatchObject({ date: '2026-11-23' });
  });

  it('old copies are deleted, and unfinished ones of earlier days', async () => {
    await partStoreOf(env, '2026-11-01').write('000001.ndjson.gz', new Uint8Array(1));
    for (const date of ['2026-10-30', '2024-01-01'])
      await partStoreOf(env, date).write(MANIFEST, new Uint8Array(1));
    for (let month = 1; month < 12; month++)
      await partStoreOf(env, `2025-${String(month).padStart(2, '0')}-15`).write(
        MANIFEST,
        new Uint8Array(1),
      );
    expect(await backUpNightly(env, NIGHT + 2 * DAY_MS, everything)).toMatchObject({
      done: { copies_deleted: 3 },
    });
    expect(await listCopies(env)).not.toContain('2026-11-01');
    expect(await listCopies(env)).toContain('2026-10-30');
  });

  it('a copy does not look finished if its deletion broke off', async () => {
    const { objects } = await env.BACKUPS.list({ prefix: 'copies/' });
    await env.BACKUPS.delete(objects.map(({ key }) => key));
    const months = Array.from(
      { length: 12 },
      (_, month) => `2025-${String(month + 1).padStart(2, '0')}-15`,
    );
    for (const date of ['2024-12-31', ...months])
      for (const name of ['000001.ndjson.gz', MANIFEST])
        await partStoreOf(env, date).write(name, new Uint8Array(1));
    const BACKUPS = withMethods(env.BACKUPS, {
      delete: async (keys: string | string[]) => {
        if (typeof keys === 'string') return env.BACKUPS.delete(keys);
        throw new Error('R2 is busy');
      },
    });
    await expect(deleteOldCopies({ BACKUPS }, '2026-01-01')).rejects.toThrow('R2 is busy');
    expect(await listCopies(env)).toContain('2024-12-31');
    expect(await finishedAt(env, '2024-12-31')).toBeNull();
  });

  it('copies of 7 days, and full ones of 4 weeks and 12 months are kept', () => {
    const dates = Array.from({ length: 800 }, (_, i) =>
      new Date(NIGHT - i * DAY_MS).toISOString().slice(0, 10),
    );
    // Every seventh copy is a full one: the newest is four days old.
    const baseOf = (i: number) => dates[i + ((11 - (i % 7)) % 7)] ?? '';
    const copies = new Map(dates.map((date, i) => [date, i % 7 === 4 ? null : baseOf(i)]));
    const kept = [...copiesToKeep(copies)].sort().reverse();
    expect(kept.slice(0, 7)).toEqual(dates.slice(0, 7));
    // The base of the oldest of these, further Wednesdays, then the last Wednesdays of months.
    expect(kept.slice(7, 10)).toEqual(['2026-11-11', '2026-11-04', '2026-10-28']);
    expect(kept.slice(10)).toEqual([
      '2026-09-30',
      '2026-08-26',
      '2026-07-29',
      '2026-06-24',
      '2026-05-27',
      '2026-04-29',
      '2026-03-25',
      '2026-02-25',
      '2026-01-28',
      '2025-12-31',
    ]);
  });

  it('a week of full copies begins on Monday', () => {
    const nights = Array.from(
      { length: 7 },
      (_, i) => [`2026-11-${24 + i}`, '2026-11-23'] as const,
    );
    const [monday, sunday, before] = ['2026-11-23', '2026-11-22', '2026-11-16'];
    const full = [monday, sunday, before].map((date) => [date, null] as const);
    const kept = copiesToKeep(new Map([...nights, ...full]));
    expect([kept.has(monday), kept.has(sunday), kept.has(before)]).toEqual([true, true, false]);
  });

  it('the base of a copy is kept as long as the copy', () => {
    const copies = new Map([
      ['2026-11-22', '2026-11-10'],
      ['2026-11-12', null],
      ['2026-11-10', null],
    ]);
    expect([...copiesToKeep(copies)].sort()).toEqual([...copies.keys()].sort());
  });
});

describe('the mark above all link ids', () => {
  it('the mark above all link ids is raised before ids come near it', async () => {
    await raiseLinkIdMark(env);
    const mark = await readLinkIdMark(env);
    expect(mark).toBe(1_000_001);
    expect(await raiseLinkIdMark(env)).toEqual({});
    await makeLinks([500_002]);
    await raiseLinkIdMark(env);
    expect(await readLinkIdMark(env)).toBe(1_500_002);
  });
});

describe('the nightly copy on the free plan', () => {
  it('[A15] a copy on the free plan is written in small parts and is as complete', async () => {
    await makeLinks(Array.from({ length: 600 }, (_, i) => 1_000 + i));
    await env.DB.prepare('UPDATE links SET note = ?1').bind('a'.repeat(900)).run();
    const night = NIGHT + 5 * DAY_MS;
    const free = { ...env, WORKERS_PLAN: 'free' };
    const results: JobResult[] = [];
    do results.push(await backUpNightly(free, night + results.length * MINUTE_MS, everything));
    while (results.at(-1)?.left === 1 && results.length < 40);
    const manifest = parseManifest(
      (await partStoreOf(env, '2026-11-27').read(MANIFEST)) ?? new Uint8Array(),
    );
    expect(manifest?.parts.length).toBeGreaterThan(2);
    // It is not a backlog that grows old: the signal of the same name would turn red in a long
    // night.
    expect(results[1]).toMatchObject({ left: 1, since: night + MINUTE_MS });
    expect(results.length).toBeGreaterThanOrEqual(manifest?.parts.length ?? 0);
    const fact = env.DB.prepare("SELECT at FROM system_facts WHERE name = 'backup'");
    expect(await fact.first('at')).toBe(night + (results.length - 1) * MINUTE_MS);
    expect(manifest?.tables['links']?.rows).toBe(
      await env.DB.prepare('SELECT count(*) AS n FROM links').first('n'),
    );
    for (const { name } of manifest?.parts ?? []) {
      const groups = decodePart(
        (await partStoreOf(env, '2026-11-27').read(name)) ?? new Uint8Array(),
      );
      expect(groups.flatMap(({ lines }) => lines).join('').length).toBeLessThan(60_000);
    }
    // Few links are read for a part without fitting into it, whatever the number of parts.
    const counted = countRowsRead(env.DB);
    const small = { partChars: 20_000, parts: Infinity };
    await writeBackup(
      openDb(counted.db),
      partStoreOf(env, '2026-11-28'),
      await startBackup(db, night),
      null,
      () => night,
      undefined,
      small,
    );
    console.log(`rows read to copy 600 links in small parts: ${counted.rowsRead()}`);
    expect(counted.rowsRead()).toBeLessThan(15_000);
  });
});
