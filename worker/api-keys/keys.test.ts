import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { ApiKeysResponse, CreatedApiKey } from '#contract/api/api-keys.ts';
import { API_KEYS_MAX } from '#contract/limits.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { findInDatabase } from '#worker/testing/scan.ts';
import { EMBEDDED, mailsTo, pressLink, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { createAppKey, redeemAppCode } from './app-keys.ts';
import { findKey } from './find-key.ts';
import { isKeySecret, newKeySecret } from './key-secret.ts';
import { readApiKeys } from './manage-keys.ts';

const db = openDb(env.DB);
const create = (person: Person, json: unknown, overrides: Partial<Env> = {}) =>
  call('/api/keys', { json, headers: person.headers }, overrides);
const list = async (person: Person): Promise<ApiKeysResponse> =>
  (await call('/api/keys', { headers: person.headers })).json();
const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });

describe('a key’s secret', () => {
  it('[T41] a secret has a prefix, 190 random bits and a checksum that scanners can verify', () => {
    const secrets = Array.from({ length: 200 }, newKeySecret);
    expect(new Set(secrets).size).toBe(200);
    for (const secret of secrets) {
      expect(secret).toMatch(/^hop_live_[0-9A-Za-z]{38}$/);
      expect(isKeySecret(secret)).toBe(true);
      for (const at of [9, 25, 46]) {
        const other = secret[at] === 'x' ? 'y' : 'x';
        expect(isKeySecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
      }
    }
    // The checksum is the one of zlib: CRC-32 of 32 zeros is 0xa0f292d0.
    expect(isKeySecret(`hop_live_${'0'.repeat(32)}2wjyrI`)).toBe(true);
    for (const text of ['', 'hop_live_', 'hop_test_abc', `${secrets[0]} `, `x${secrets[0]}`])
      expect(isKeySecret(text)).toBe(false);
  });
});

describe('the key of an app', () => {
  it('stays in the list when the time for its code is over', async () => {
    const { id: userId } = await makePerson();
    const app = { userId, name: 'App', host: 'app.example', binding: 'b', expiresAt: 9e12 };
    const code = await createAppKey(db, { ...app, scopes: ['links:read'] }, 1);
    await redeemAppCode(db, code ?? '', 'b', 2);
    expect(await readApiKeys(db, userId, HOUR_MS)).toMatchObject([{ app: 'app.example' }]);
  });
});

describe('POST and GET /api/keys', () => {
  it('[T41] the API returns a key’s secret once, and stores only its hash', async () => {
    const person = await makePerson();
    const response = await create(person, {
      name: ' Zapier ',
      scopes: ['links:write', 'links:read'],
      codePrefix: 'z-',
    });
    expect(response.status).toBe(201);
    const { key, ...shown } = await response.json<CreatedApiKey>();
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'Zapier',
      prefix: key.slice(0, 13),
      app: null,
      scopes: ['links:read', 'links:write'],
      codePrefix: 'z-',
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: null,
      lastUsedAt: null,
      previousSecretUntil: null,
    });
    expect(await list(person)).toEqual({ keys: [shown] });
    expect(await findInDatabase(new RegExp(key))).toEqual([]);
    expect((await send(bearer(key), 'GET /me')).status).toBe(200);
  });

  it('a new key is mailed to its owner and audited without its secret', async () => {
    const person = await signInEmbedded();
    const created = await create(person, { name: 'CI', scopes: ['links:read'] }, EMBEDDED);
    const { id, key, prefix } = await created.json<CreatedApiKey>();
    const [mail] = await mailsTo(person.email);
    expect(mail?.text).toContain(prefix);
    expect(mail?.text).not.toContain(key);
    expect(mail?.link).toBe('http://localhost:8787/settings/api');
    await call(`/api/keys/${id}/rotate`, { json: {}, headers: person.headers }, EMBEDDED);
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual([
      'An API key got a new secret in your Hop account',
      'A new API key was created in your Hop account',
    ]);
    await call(`/api/keys/${id}`, { method: 'DELETE', headers: person.headers }, EMBEDDED);
    const { results } = await env.DB.prepare(
      'SELECT action, after FROM admin_log WHERE admin_id = ?1 ORDER BY id',
    )
      .bind(person.id)
      .all();
    expect(results.map(({ action }) => action)).toEqual([
      'create_api_key',
      'rotate_api_key',
      'revoke_api_key',
    ]);
    for (const { after } of results)
      expect(JSON.parse(String(after))).toMatchObject({
        key: id,
        name: 'CI',
        scopes: 'links:read',
      });
  });

  it(`an account has at most ${API_KEYS_MAX} keys, also when requests race`, async () => {
    const person = await makePerson();
    const all = await Promise.all(
      Array.from({ length: API_KEYS_MAX + 5 }, (_, i) =>
        create(person, { name: `Key ${i}`, scopes: ['links:read'] }),
      ),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(API_KEYS_MAX);
    expect(await all.find(({ status }) => status !== 201)?.json()).toMatchObject({
      code: 'conflict',
    });
    expect((await list(person)).keys).toHaveLength(API_KEYS_MAX);
  });

  it('a key cannot end in the past', async () => {
    const response = await create(await makePerson(), {
      name: 'x',
      scopes: ['links:read'],
      expiresAt: '2020-01-01T00:00:00Z',
    });
    expect([response.status, await response.json()]).toMatchObject([400, { field: 'expiresAt' }]);
  });
});

describe('a key', () => {
  it('[T41] a key stops working at the request after it was revoked', async () => {
    const { person, key, headers } = await makeKey();
    expect((await send({ headers }, 'GET /me')).status).toBe(200);
    expect(
      (await call(`/api/keys/${key.id}`, { method: 'DELETE', headers: person.headers })).status,
    ).toBe(200);
    expect((await send({ headers }, 'GET /me')).status).toBe(401);
    expect((await list(person)).keys).toEqual([]);
  });

  it('[T41] a key works with both secrets after a rotation, until the overlap ends', async () => {
    const { person, key } = await makeKey();
    const rotated = await call(`/api/keys/${key.id}/rotate`, {
      json: { overlapHours: 2 },
      headers: person.headers,
    });
    const next = await rotated.json<CreatedApiKey>();
    expect(next).toMatchObject({
      id: key.id,
      scopes: key.scopes,
      previousSecretUntil: expect.any(String),
    });
    expect(next.key).not.toBe(key.key);
    const now = Date.now();
    for (const [secret, at, ok] of [
      [key.key, now, true],
      [next.key, now, true],
      [key.key, now + 2 * HOUR_MS, false],
      [next.key, now + 2 * HOUR_MS, true],
    ] as const)
      expect((await findKey(db, secret, at)).ok).toBe(ok);
    await call(`/api/keys/${key.id}/rotate`, { json: {}, headers: person.headers });
    expect((await findKey(db, key.key, now)).ok).toBe(false);
    expect((await findKey(db, next.key, now)).ok).toBe(true);
  });

  it('a key keeps every new secret that was shown when two rotations race', async () => {
    const { person, key } = await makeKey();
    const rotate = () =>
      call(`/api/keys/${key.id}/rotate`, { json: { overlapHours: 1 }, headers: person.headers });
    const answers = await Promise.all([rotate(), rotate()]);
    const shown = await Promise.all(
      answers.filter(({ ok }) => ok).map((answer) => answer.json<CreatedApiKey>()),
    );
    expect(shown.length).toBeGreaterThan(0);
    for (const { key: secret } of shown)
      expect((await findKey(db, secret, Date.now())).ok).toBe(true);
  });

  it('a key records its last use at most once a minute', async () => {
    const { person, key } = await makeKey();
    const lastUse = async () => (await list(person)).keys[0]?.lastUsedAt;
    expect(await lastUse()).toBeNull();
    const now = Date.now();
    await findKey(db, key.key, now);
    await findKey(db, key.key, now + MINUTE_MS - 1);
    expect(await lastUse()).toBe(new Date(now).toISOString());
    await findKey(db, key.key, now + MINUTE_MS);
    expect(await lastUse()).toBe(new Date(now + MINUTE_MS).toISOString());
  });

  it('[A19] a key made with an unproven address dies when the mailbox owner proves it', async () => {
    const email = `${crypto.randomUUID().slice(0, 8)}@example.com`;
    const squatter = tab({ AUTH_AUTOCONFIRM: 'on' });
    const { data } = await squatter.auth.signUp({ email, password: 'secret-1' });
    const headers = { Authorization: `Bearer ${data.session?.access_token ?? ''}` };
    const created = await call(
      '/api/keys',
      { json: { name: 'x', scopes: ['links:read'] }, headers },
      EMBEDDED,
    );
    const { key } = await created.json<CreatedApiKey>();
    expect((await send(bearer(key), 'GET /me', {}, EMBEDDED)).status).toBe(200);
    await call('/api/auth/v1/recover', { json: { email } }, EMBEDDED);
    const mail = (await mailsTo(email)).find(({ subject }) => subject.includes('Reset'));
    expect((await pressLink(mail)).status).toBe(200);
    expect((await send(bearer(key), 'GET /me', {}, EMBEDDED)).status).toBe(401);
  });
});
