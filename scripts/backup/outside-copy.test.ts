import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BASE_DATE,
  encodeJson,
  MANIFEST,
  newManifest,
  parseManifest,
} from '#worker/backup/backup-format.ts';
import {
  finishedAt,
  listCopies,
  listObjects,
  partStoreOf,
  readLinkIdMark,
  takeLinkIdMark,
  type CopyBucket,
} from '#worker/backup/copies.ts';
import { copyOutside } from '#worker/backup/copy-outside.ts';
import { openS3Bucket } from '#worker/backup/s3-bucket.ts';
import { startS3Server } from './testing/s3-server.ts';

type Server = Awaited<ReturnType<typeof startS3Server>>;
let server: Server;
let outside: CopyBucket;
/** Stands for the bucket of the account. */
let BACKUPS: CopyBucket;

const open = (changes: Partial<Server['settings']> = {}) =>
  openS3Bucket({ ...server.settings, ...changes });
const otherUrl = (name: string) => server.settings.BACKUP_S3_URL.replace(/copies$/, name);

beforeAll(async () => {
  server = await startS3Server();
  outside = open() ?? expect.fail();
  BACKUPS = open({ BACKUP_S3_URL: otherUrl('other') }) ?? expect.fail();
});

afterAll(() => server.close());

const partNames = (count: number) =>
  Array.from({ length: count }, (_, i) => `${String(i + 1).padStart(6, '0')}.ndjson.gz`);

/** A finished copy. */
async function makeCopy(date: string, baseDate?: string, partCount = 3): Promise<void> {
  const parts = partStoreOf({ BACKUPS }, date);
  const base = baseDate && { date: baseDate, startedAt: 1, sha256: '' };
  const manifest = newManifest('0027_baseline.sql', 1, base || undefined);
  if (baseDate) await parts.write(BASE_DATE, new TextEncoder().encode(baseDate));
  for (const name of partNames(partCount)) {
    await parts.write(name, new TextEncoder().encode(`${date} ${name}`));
    manifest.parts.push({ name, bytes: 1, sha256: '' });
  }
  await parts.write(MANIFEST, encodeJson(manifest));
}

const copy = (canContinue = () => true, plan: Env['WORKERS_PLAN'] = 'paid') =>
  copyOutside({ BACKUPS, WORKERS_PLAN: plan, ...server.settings }, 0, {
    canContinue,
    kvWrites: () => 0,
  });

describe('copyOutside', () => {
  it('copies nothing without settings', async () => {
    const env = { BACKUPS, WORKERS_PLAN: 'paid', ...server.settings, BACKUP_S3_URL: '' };
    expect(await copyOutside(env, 0)).toEqual({ reason: 'not_configured' });
    expect(await copy()).toEqual({ reason: 'no_copy' });
  });

  it('an outside copy continues where it was interrupted, and writes the manifest last', async () => {
    await makeCopy('2026-11-22');
    await BACKUPS.put('link-id-mark.json', encodeJson(7));
    await BACKUPS.put('deleted-accounts.json', encodeJson([]));
    let steps = 0;
    expect(await copy(() => steps++ < 4)).toEqual({ done: { objects_copied: 4 }, left: 1 });
    expect(await finishedAt({ BACKUPS: outside }, '2026-11-22')).toBeNull();
    expect(await copy()).toEqual({ done: { objects_copied: 2, copies_deleted: 0 } });
    expect(await copy()).toEqual({});
    expect(await listObjects(outside, '')).toEqual(await listObjects(BACKUPS, ''));
    const stored = await partStoreOf({ BACKUPS: outside }, '2026-11-22').read(MANIFEST);
    expect(parseManifest(stored ?? new Uint8Array())?.parts).toHaveLength(3);
    // The mark and the list change more often than the copy.
    await BACKUPS.put('link-id-mark.json', encodeJson(8));
    expect(await copy()).toEqual({});
    expect(await readLinkIdMark({ BACKUPS: outside })).toBe(8);
  });

  it('deletes copies there that are no longer kept', async () => {
    await outside.put('copies/2024-01-01/manifest.json', new Uint8Array(1));
    await outside.put('copies/2026-11-01/000001.ndjson.gz', new Uint8Array(1));
    for (let month = 1; month < 12; month++)
      await outside.put(
        `copies/2025-${String(month).padStart(2, '0')}-15/manifest.json`,
        new Uint8Array(1),
      );
    await makeCopy('2026-11-23');
    expect(await copy()).toMatchObject({ done: { copies_deleted: 2 } });
    const dates = await listCopies({ BACKUPS: outside });
    expect(dates.slice(0, 3)).toEqual(['2026-11-23', '2026-11-22', '2025-11-15']);
    expect(dates).not.toContain('2024-01-01');
  });
});

describe('copyOutside on the free plan', () => {
  it('copies 15 objects in a run', async () => {
    await makeCopy('2026-11-24', undefined, 16);
    expect(await copy(undefined, 'free')).toEqual({ done: { objects_copied: 15 }, left: 3 });
  });
});

describe('copyOutside of a differential copy', () => {
  it('copies the full copy that it adds to first, and keeps that as long', async () => {
    const days = ['24', '25', '26', '27', '28', '29'].map((day) => `2026-11-${day}`);
    await makeCopy('2026-11-20');
    await makeCopy('2026-11-30', '2026-11-20');
    let steps = 0;
    expect(await copy(() => steps++ < 6)).toEqual({ done: { objects_copied: 6 }, left: 5 });
    expect(await finishedAt({ BACKUPS: outside }, '2026-11-20')).not.toBeNull();
    expect(await copy()).toMatchObject({ done: { objects_copied: 5 } });
    // Full copies of the same week and month, and seven nights, that are newer than the base.
    for (const date of days) await outside.put(`copies/${date}/manifest.json`, new Uint8Array(1));
    await makeCopy('2026-12-01', '2026-11-20');
    await copy();
    const dates = await listCopies({ BACKUPS: outside });
    expect(dates).toContain('2026-11-20');
    expect(dates).not.toContain('2026-11-24');
  });
});

describe('takeLinkIdMark', () => {
  it.each([
    [7, 5, 7],
    [7, 9, 9],
  ])('of the marks %i here and %i there it keeps %i', async (here, there, kept) => {
    await BACKUPS.put('link-id-mark.json', encodeJson(here));
    await outside.put('link-id-mark.json', encodeJson(there));
    await takeLinkIdMark({ BACKUPS }, outside);
    expect(await readLinkIdMark({ BACKUPS })).toBe(kept);
  });
});

describe('openS3Bucket', () => {
  it('reads more objects than one answer lists', async () => {
    let calls = 0;
    const small: CopyBucket = {
      ...outside,
      list: async (options) => {
        const page = await outside.list(options);
        calls++;
        return { ...page, objects: page.objects.slice(0, 3), truncated: page.objects.length > 3 };
      },
    };
    expect(await listObjects(small, 'copies/')).toEqual(await listObjects(outside, 'copies/'));
    expect(calls).toBeGreaterThan(3);
  });

  it('names what is wrong, and never the secret', async () => {
    await expect(
      open({ BACKUP_S3_KEY_SECRET: 'another' })?.put('x', new Uint8Array(1)),
    ).rejects.toThrow('127.0.0.1 answered 403 SignatureDoesNotMatch to PUT /x');
    await expect(open({ BACKUP_S3_URL: otherUrl('none') })?.get('x')).rejects.toThrow(
      '404 NoSuchBucket',
    );
    expect(await outside.get('x')).toBeNull();
    expect(await outside.head('x')).toBeNull();
    expect(open({ BACKUP_S3_URL: '' })).toBeNull();
    expect(() => open({ BACKUP_S3_URL: 'http://s3.example/copies' })).toThrow('https://');
    expect(() => open({ BACKUP_S3_KEY_ID: '' })).toThrow('is not set');
  });
});
