import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { applyBlocklist } from '#worker/abuse/apply-blocklist.ts';
import { openDb } from '#worker/db/client.ts';
import { addressHash } from '#worker/users/address-standing.ts';
import { call } from '#worker/testing/call.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { rowsOf } from '#worker/testing/clicks.ts';
import type { Person } from '#worker/testing/make.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { backUpNightly } from './back-up-nightly.ts';
import { dateOf, finishedAt, partStoreOf } from './copies.ts';
import { copyKeyOf } from './backup-format.ts';
import { hasAdmin } from './keep-decisions.ts';
import { restoreBackup, type RestoreResult } from './restore-backup.ts';

const NOW = Date.now();
const store = partStoreOf(env, dateOf(NOW));
const OPTIONS = {
  replace: true,
  reopen: false,
  unverified: false,
  key: copyKeyOf(env.AUTH_SECRET ?? ''),
};
const NEW_PASSWORD = 'chosen after the copy';

const ask = (path: string, person: Person, init: RequestInit & { json?: unknown } = {}) =>
  call(path, { ...init, headers: person.headers }, EMBEDDED);
const signIn = (email: string, password = 'correct horse') =>
  call('/api/auth/v1/token?grant_type=password', { json: { email, password } }, EMBEDDED);
const open = async (code: string) =>
  (await call(`/${code}`, { method: 'HEAD' }, { LINK_MEMORY_MS: '0' })).status;
const keyWorks = async (holder: KeyHolder) =>
  (await send(holder, 'GET /links', {}, EMBEDDED)).status;
const userOf = async ({ id }: Person) => (await rowsOf('users')).find((row) => row['id'] === id);
const actions = async () => (await rowsOf('admin_log')).map((row) => row['action']);

async function expectOk(response: Promise<Response>): Promise<void> {
  const { status } = await response;
  expect(status).toBeLessThan(300);
}

async function signUp(name: string): Promise<Person> {
  const signedIn = await signInEmbedded({ email: `${name}@example.com` });
  await expectOk(ask('/api/me', signedIn));
  return signedIn;
}

/** Connects a person of the provider of this name with an account. */
const connected = (subject: string, { id }: Person) =>
  env.DB.prepare(
    "INSERT INTO auth_identities (issuer, subject, user_id, email, linked_at, used_at) VALUES (?1, ?1, ?2, '', 1, 1)",
  ).bind(subject, id);
const moderate = (action: 'disable' | 'enable', { id }: Person) =>
  expectOk(
    ask('/api/admin/moderation', admin, {
      json: { action, scope: { kind: 'user', userId: id }, reason: 'A ring.' },
    }),
  );
const demote = ({ id }: Person) =>
  expectOk(ask('/api/admin', admin, { json: { action: 'set_role', user_id: id, role: 'user' } }));
const restore = (options: Partial<typeof OPTIONS> = {}): Promise<RestoreResult> =>
  restoreBackup(env, store, { ...OPTIONS, ...options }, NOW);

let admin: Person;
let evil: Person;
let carl: Person;
let ann: Person;
let bob: Person;
let newcomer: Person;
let keys: { evil: KeyHolder; revoked: KeyHolder; rotated: KeyHolder; kept: KeyHolder };
let rotatedKey: string;
let logAfterCopy: number;

beforeAll(async () => {
  admin = await signUp('admin');
  evil = await signUp('evil');
  carl = await signUp('carl');
  ann = await signUp('ann');
  bob = await signUp('bob');
  await env.DB.prepare("UPDATE users SET role = 'admin' WHERE id IN (?1, ?2, ?3)")
    .bind(admin.id, evil.id, carl.id)
    .run();
  for (const customCode of ['lure-one', 'lure-two'])
    await expectOk(
      ask('/api/shorten', evil, { json: { longUrl: 'https://example.org/', customCode } }),
    );
  await expectOk(
    ask('/api/shorten', ann, {
      json: { longUrl: 'https://bad.example/', customCode: 'to-bad-host' },
    }),
  );
  keys = {
    evil: await makeKey({ person: evil }),
    revoked: await makeKey({ person: ann }),
    rotated: await makeKey({ person: ann }),
    kept: await makeKey({ person: ann }),
  };
  await env.DB.batch([
    ...['hook-kept', 'hook-removed'].map((id) =>
      env.DB.prepare(
        "INSERT INTO webhook_endpoints (id, user_id, url, events, salt, created_at) VALUES (?1, ?2, 'https://hook.example/', 'link.created', 's', 1)",
      ).bind(id, ann.id),
    ),
    ...['shared-kept', 'shared-stopped'].map((id) =>
      env.DB.prepare(
        "INSERT INTO shared_reports (id, user_id, link_id, secret_hash, title, parts, period, created_at, updated_at) VALUES (?1, ?2, 1, ?1, 'A report', '[]', 'all', 1, 1)",
      ).bind(id, ann.id),
    ),
    ...['kept', 'disconnected', 'moved'].map((subject) => connected(subject, ann)),
    ...[ann, bob].map(({ id }) =>
      env.DB.prepare('INSERT INTO weekly_mails (user_id, since, sent_week) VALUES (?1, 1, 1)').bind(
        id,
      ),
    ),
  ]);
  await moderate('disable', bob);
  await env.DB.prepare(
    "INSERT INTO address_standing (address_hash, demoted_at, quota_until) VALUES ('left', 5, 4)",
  ).run();
  await backUpNightly(env, NOW);

  // KV then has a version that the restore does not reach by holding the link.
  for (const end of ['one', 'two'])
    await expectOk(
      ask('/api/links/lure-one', evil, {
        method: 'PATCH',
        json: { longUrl: `https://example.org/${end}` },
      }),
    );
  await demote(evil);
  await moderate('disable', evil);
  await demote(carl);
  await moderate('enable', bob);
  await expectOk(
    ask('/api/admin/blocklist', admin, { json: { hosts: 'bad.example', reason: 'Phishing.' } }),
  );
  await expectOk(ask(`/api/keys/${keys.revoked.key.id}`, ann, { method: 'DELETE' }));
  const rotation = await ask(`/api/keys/${keys.rotated.key.id}/rotate`, ann, {
    json: { overlapHours: 0 },
  });
  rotatedKey = (await rotation.json<{ key: string }>()).key;
  await expectOk(ask('/api/webhooks/hook-removed', ann, { method: 'DELETE' }));
  await expectOk(ask('/api/shared-reports/shared-stopped', ann, { method: 'DELETE' }));
  await env.DB.prepare('DELETE FROM weekly_mails WHERE user_id = ?1').bind(ann.id).run();
  await env.DB.batch([
    env.DB.prepare("DELETE FROM auth_identities WHERE subject IN ('disconnected', 'moved')"),
    connected('moved', bob),
    connected('later', bob),
  ]);
  const json = { password: NEW_PASSWORD, current_password: 'correct horse' };
  await expectOk(ask('/api/auth/v1/user', ann, { method: 'PUT', json }));
  newcomer = await signUp('newcomer');
  await moderate('disable', newcomer);
  logAfterCopy = (await actions()).length;
});

describe('what a restore keeps of the replaced database', () => {
  it('[T50] a restore keeps newer decisions, even if an attempt was interrupted', async () => {
    const read = new Set<string>();
    const failing = {
      ...store,
      read: (name: string) => {
        // Every part is read once to verify it.
        if (name.endsWith('.gz') && read.has(name)) throw new Error('interrupted');
        read.add(name);
        return store.read(name);
      },
    };
    await expect(restoreBackup(env, failing, OPTIONS, NOW)).rejects.toThrow('interrupted');
    expect(await rowsOf('users')).toEqual([]);
    const tomorrow = NOW + DAY_MS;
    expect(await backUpNightly(env, tomorrow)).toMatchObject({
      reason: 'restoring',
      left: 1,
    });
    expect(await finishedAt(env, dateOf(tomorrow))).toBeNull();
    expect(await restore()).toMatchObject({
      ok: true,
      hasAdmin: true,
      skipped: [],
      kept: {
        wasEmpty: false,
        suspended: 2,
        demoted: 2,
        keys: 1,
        webhooks: 1,
        shared: 1,
        identities: 2,
        mails: 1,
        blocked: 1,
      },
    });
  });

  it('[T50] a suspended and demoted administrator stays both', async () => {
    expect(await userOf(evil)).toMatchObject({ role: 'user', suspended_reason: 'A ring.' });
    expect((await signIn(evil.email)).status).toBe(400);
    expect(await keyWorks(keys.evil)).toBe(403);
    expect([await open('lure-one'), await open('lure-two')]).toEqual([410, 410]);
    const holds = (await rowsOf('link_holds')).filter(({ reason }) => reason === 'A ring.');
    expect(holds.map(({ kind }) => kind)).toEqual(['user', 'user']);
  });

  it('[T50] a demoted administrator signs in as a member, whom ADMIN_EMAILS does not raise', async () => {
    const { access_token } = await (await signIn(carl.email)).json<{ access_token: string }>();
    const headers = { Authorization: `Bearer ${access_token}` };
    const me = await call('/api/me', { headers }, { ...EMBEDDED, ADMIN_EMAILS: carl.email });
    expect(await me.json()).toMatchObject({ email: carl.email, role: 'user' });
  });

  it('[T50] a suspension of the copy holds although it had been lifted', async () => {
    expect(await userOf(bob)).toMatchObject({ suspended_reason: 'A ring.' });
    expect((await signIn(bob.email)).status).toBe(400);
  });

  it('[T50] a suspended account that is younger than the copy does not begin again', async () => {
    expect(await userOf(newcomer)).toMatchObject({ suspended_reason: 'A ring.' });
    const again = await signInEmbedded({ email: newcomer.email });
    expect((await ask('/api/me', again)).status).toBe(403);
  });

  it('[T50] revoked keys, webhooks, shared reports and weekly mails stay as they were', async () => {
    expect(await keyWorks(keys.kept)).toBe(200);
    expect(await keyWorks(keys.revoked)).toBe(401);
    expect(await keyWorks(keys.rotated)).toBe(401);
    expect(
      await keyWorks({ ...keys.rotated, headers: { Authorization: `Bearer ${rotatedKey}` } }),
    ).toBe(200);
    expect((await rowsOf('webhook_endpoints')).map(({ id }) => id)).toEqual(['hook-kept']);
    expect((await rowsOf('shared_reports')).map(({ id }) => id)).toEqual(['shared-kept']);
    expect((await rowsOf('weekly_mails')).map((row) => row['user_id'])).toEqual([bob.id]);
  });

  it('[T50] company accounts that were disconnected, or moved since, are not back', async () => {
    const identities = await rowsOf('auth_identities');
    expect(identities.map(({ subject, user_id }) => [subject, user_id])).toEqual([
      ['kept', ann.id],
    ]);
  });

  it('[T50] the password that was replaced after the copy does not sign in', async () => {
    expect((await signIn(ann.email)).status).toBe(400);
    expect((await signIn(ann.email, NEW_PASSWORD)).status).toBe(200);
  });

  it('[T50] blocklist and audit log keep their newer entries', async () => {
    expect(await rowsOf('blocklist')).toMatchObject([{ value: 'bad.example', applied_at: 0 }]);
    await applyBlocklist(env, NOW);
    expect(await open('to-bad-host')).toBe(410);
    expect(await actions()).toHaveLength(logAfterCopy);
    expect(await actions()).toEqual(
      expect.arrayContaining(['set_role', 'suspend_user', 'import_blocklist', 'revoke_api_key']),
    );
  });

  it('[T50] the newer reason of a suspension, mailbox, used code and quota stay', async () => {
    const hash = addressHash(env.AUTH_SECRET ?? '', bob.email);
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE users SET suspended_at = suspended_at + 1, suspended_reason = 'Again.' WHERE id = ?1",
      ).bind(bob.id),
      env.DB.prepare('UPDATE auth_users SET banned_until = NULL WHERE id = ?1').bind(bob.id),
      env.DB.prepare(
        'UPDATE auth_users SET proven_at = 7, totp_secret = NULL, totp_last_step = 8 WHERE id = ?1',
      ).bind(ann.id),
      env.DB.prepare(
        'UPDATE address_standing SET suspended_at = NULL, suspended_reason = NULL WHERE address_hash = ?1',
      ).bind(hash),
      env.DB.prepare(
        "UPDATE address_standing SET demoted_at = NULL, quota_until = NULL, suspended_at = 6 WHERE address_hash = 'left'",
      ),
    ]);
    expect(await restore()).toMatchObject({ ok: true });
    expect(await userOf(bob)).toMatchObject({ suspended_reason: 'Again.' });
    const standing = new Map(
      (await rowsOf('address_standing')).map((row) => [row['address_hash'], row]),
    );
    expect(standing.get(hash)).toMatchObject({ suspended_reason: 'A ring.' });
    expect(standing.get('left')).toMatchObject({ demoted_at: 5, quota_until: 4, suspended_at: 6 });
    const accounts = await rowsOf('auth_users');
    const accountOf = ({ id }: Person) => accounts.find((row) => row['id'] === id);
    expect(accountOf(ann)).toMatchObject({ proven_at: 7, totp_last_step: 8 });
    expect(accountOf(bob)?.['banned_until']).toBeGreaterThan(NOW);
  });

  it('[T50] an entry of another database under the same number is kept under a new one', async () => {
    await env.DB.prepare(
      "UPDATE admin_log SET at = 7, action = 'of_another_database' WHERE id = 1",
    ).run();
    expect(await restore()).toMatchObject({ kept: { logged: expect.any(Number) } });
    expect(await actions()).toHaveLength(logAfterCopy + 1);
    expect(
      (await rowsOf('admin_log')).find(({ action }) => action === 'of_another_database')?.['id'],
    ).toBeGreaterThan(1);
  });

  it('[T50] lifting a suspension that a restore has kept opens the links again', async () => {
    const { access_token } = await (await signIn(admin.email)).json<{ access_token: string }>();
    admin = { ...admin, headers: { Authorization: `Bearer ${access_token}` } };
    await moderate('enable', evil);
    expect(await open('lure-one')).toBe(302);
  });

  it('[T50] nobody gets round a suspension or a demotion by signing up while a restore runs', async () => {
    const overrides = { ...EMBEDDED, ADMIN_EMAILS: carl.email };
    const meanwhile: { person: Person; answer: unknown }[] = [];
    const slow = {
      ...store,
      read: async (name: string) => {
        if (meanwhile.length === 0 && name.endsWith('.gz') && (await rowsOf('users')).length === 0)
          for (const { email } of [newcomer, carl]) {
            const person = await signInEmbedded({ email });
            await env.DB.prepare('UPDATE auth_users SET proven_at = 1 WHERE id = ?1')
              .bind(person.id)
              .run();
            const answer = await (
              await call('/api/me', { headers: person.headers }, overrides)
            ).json();
            meanwhile.push({ person, answer });
          }
        return store.read(name);
      },
    };
    expect(await restoreBackup(env, slow, OPTIONS, NOW)).toMatchObject({ ok: true });
    expect(meanwhile).toMatchObject([
      { answer: { error: expect.anything() } },
      { answer: { role: 'user' } },
    ]);
    for (const { person } of meanwhile)
      expect((await call('/api/me', { headers: person.headers }, overrides)).status).toBe(401);
  });

  it('[T50] a restore drops its temporary tables', async () => {
    const tables = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE name GLOB 'restore_*'",
    ).all();
    expect(tables.results).toEqual([]);
  });

  it('[T50] an empty database knew nobody, and a restore takes all from the copy', async () => {
    for (const table of [
      'links',
      'users',
      'auth_users',
      'address_standing',
      'api_keys',
      'webhook_endpoints',
      'weekly_mails',
    ])
      await env.DB.prepare(`DELETE FROM ${table}`).run();
    expect(await restore({ replace: false })).toMatchObject({
      ok: true,
      kept: { wasEmpty: true, demoted: 0, keys: 0 },
    });
    expect(await userOf(carl)).toMatchObject({ role: 'admin' });
    expect(await keyWorks(keys.revoked)).toBe(200);
    await env.DB.prepare('UPDATE users SET suspended_at = 1').run();
    expect(await hasAdmin(openDb(env.DB))).toBe(false);
  });
});
