import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { call } from '#worker/testing/call.ts';
import { rowsOf } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { backUpNightly } from './back-up-nightly.ts';
import { copyKeyOf } from './backup-format.ts';
import { dateOf, partStoreOf } from './copies.ts';
import { listDeletedAccounts, readerOf } from './deleted-accounts.ts';
import { restoreBackup } from './restore-backup.ts';

const NOW = Date.UTC(2026, 10, 22, 3);
const LIST = 'deleted-accounts.json';
const store = partStoreOf(env, dateOf(NOW));
const OPTIONS = {
  replace: false,
  reopen: false,
  unverified: false,
  key: copyKeyOf(env.AUTH_SECRET ?? ''),
};
const listText = async () => (await env.BACKUPS.get(LIST))?.text() ?? '';
const emails = async () => (await rowsOf('users')).map((row) => row['email']);

let gone: Person;
let stays: Person;

/** As a new account has it, with the copy and perhaps the list from elsewhere. */
async function emptyDatabase(): Promise<void> {
  for (const table of ['users', 'auth_users', 'links', 'deleted_users', 'address_standing'])
    await env.DB.prepare(`DELETE FROM ${table}`).run();
}

beforeAll(async () => {
  gone = await makePerson({ now: NOW });
  stays = await makePerson({ now: NOW });
  await backUpNightly(env, NOW);
  const response = await call('/api/account', {
    method: 'DELETE',
    json: { confirm: 'delete my account', links: 'remove' },
    headers: gone.headers,
  });
  expect(response.status).toBeLessThan(300);
  await listDeletedAccounts(env);
});

describe('the list of deleted accounts beside the copies', () => {
  it('[A20] names nobody', async () => {
    const text = await listText();
    expect(text).toContain('id_hash');
    expect([gone.id, gone.email, stays.id].filter((part) => text.includes(part))).toEqual([]);
  });

  it('[A20] keeps a deleted account deleted in an empty database', async () => {
    await emptyDatabase();
    expect(await restoreBackup(env, store, OPTIONS, NOW)).toMatchObject({
      ok: true,
      deletedAccounts: 1,
      list: 'used',
    });
    expect(await emails()).toEqual([stays.email]);
    const again = await call('/api/me', { headers: gone.headers });
    expect(again.status).toBe(401);
  });

  it('[A20] may come from another place than the bucket', async () => {
    await emptyDatabase();
    const read = readerOf(env);
    const bytes = await read(LIST);
    await env.BACKUPS.delete(LIST);
    expect(
      await restoreBackup(
        env,
        store,
        { ...OPTIONS, otherPlace: () => Promise.resolve(bytes) },
        NOW,
      ),
    ).toMatchObject({ deletedAccounts: 1, list: 'used' });
    expect(await emails()).toEqual([stays.email]);
  });

  it('[A20] keeps entries that the database has lost', async () => {
    await listDeletedAccounts(env);
    const before = await listText();
    await env.DB.prepare('DELETE FROM deleted_users').run();
    await env.DB.prepare("INSERT INTO deleted_users VALUES ('another', ?1)").bind(NOW).run();
    expect(await listDeletedAccounts(env)).toEqual({ done: { accounts_listed: 2 } });
    expect(JSON.parse(JSON.parse(await listText()).json)).toEqual(
      expect.arrayContaining(JSON.parse(JSON.parse(before).json)),
    );
  });

  it('[T50] deletes nobody if somebody else wrote it', async () => {
    const forger = { ...env, AUTH_SECRET: 'a secret of somebody else, 32 bytes' };
    await listDeletedAccounts(forger);
    await emptyDatabase();
    expect(await restoreBackup(env, store, OPTIONS, NOW + HOUR_MS)).toMatchObject({
      deletedAccounts: 0,
      list: 'unverified',
    });
    expect(new Set(await emails())).toEqual(new Set([gone.email, stays.email]));
    await emptyDatabase();
    expect(await restoreBackup(env, store, { ...OPTIONS, unverified: true }, NOW)).toMatchObject({
      list: 'used',
    });
  });
});
