import { env } from 'cloudflare:test';
import { expect } from 'vitest';
import { type PartStore, copyKeyOf } from '#worker/backup/backup-format.ts';
import { restoreBackup } from '#worker/backup/restore-backup.ts';
import { startBackup, writeBackup } from '#worker/backup/write-backup.ts';
import { openDb } from '#worker/db/client.ts';

const db = openDb(env.DB);
const key = copyKeyOf(env.AUTH_SECRET ?? '');
const OPTIONS = { replace: true, reopen: false, unverified: false, key };

/** Copies the database and returns a function that restores it with `--replace`. */
export async function makeCopy(): Promise<() => Promise<void>> {
  const parts = new Map<string, Uint8Array>();
  const store: PartStore = {
    read: (name) => Promise.resolve(parts.get(name) ?? null),
    write: (name, bytes) => Promise.resolve(void parts.set(name, bytes)),
  };
  expect(await writeBackup(db, store, await startBackup(db, Date.now()), key, Date.now)).toBe(true);
  return async () =>
    expect(await restoreBackup(env, store, OPTIONS, Date.now())).toMatchObject({ ok: true });
}
