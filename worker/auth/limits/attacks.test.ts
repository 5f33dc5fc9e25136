import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { CHEAP, EMBEDDED, mailsTo } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';

const EMAIL: SendEmail = { send: async () => ({ messageId: 'x' }) };
/** A deployment whose email binding drops every email. */
const DEPLOYED = { ...EMBEDDED, DEV_MAILBOX: 'off', MAIL_FROM: 'hop@example.com', EMAIL };
const name = (): string => crypto.randomUUID().slice(0, 8);
const post = async (
  path: string,
  json: unknown,
  from: string,
  overrides: Partial<Env> = EMBEDDED,
): Promise<number> =>
  (await call(`/api/auth/v1${path}`, { json, headers: { 'CF-Connecting-IP': from } }, overrides))
    .status;
/** Sends one request from each network in turn. Returns the statuses. */
async function fromEach(
  networks: string[],
  send: (from: string) => Promise<number>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const from of networks) statuses.push(await send(from));
  return statuses;
}
const networks = (count: number, of: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => of(n + 1));

beforeEach(stopClock);
afterEach(async () => {
  await env.DB.prepare('DELETE FROM counters').run();
});
describe('attacks that turn limits against the people they protect', () => {
  it.each([
    ['IPv4 network', () => '198.51.100.60'],
    ['/48', (n: number) => `2001:db8:61:${n}::1`],
  ])('[A9] one %s cannot use up the emails of an address', async (_, of) => {
    const email = `${name()}@example.com`;
    const recover = (from: string) => post('/recover', { email }, from, DEPLOYED);
    const statuses = await fromEach(networks(10, of), recover);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(await recover('203.0.113.60')).toBe(200);
  });

  it('[A9] the tags of one mailbox share its emails', async () => {
    const owner = name();
    const recover = (tag: string, from: string) =>
      post('/recover', { email: `${owner}${tag}@example.com` }, from, DEPLOYED);
    const statuses = await fromEach(
      networks(12, (n) => `198.51.100.${n}`),
      (from) => recover(`+${from}`, from),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(await recover('', '203.0.113.61')).toBe(429);
    expect(
      await post('/recover', { email: `+${owner}@example.com` }, '203.0.113.61', DEPLOYED),
    ).toBe(200);
  });

  it('[A13] the networks of one /48 cannot lock an account', async () => {
    const email = `${name()}@example.com`;
    await createAccount(
      openDb(env.DB),
      { email, password: 'correct horse', confirmed: true, now: Date.now() },
      CHEAP,
    );
    const signIn = (password: string) => (from: string) =>
      post('/token?grant_type=password', { email, password }, from);
    await fromEach(['2001:db8:62:1::1'], signIn('wrong'));
    await env.DB.prepare(`UPDATE counters SET count = 20 WHERE key LIKE 'auth:pair:%'`).run();
    expect(await fromEach(['2001:db8:62:2::1', '2001:db8:63:1::1'], signIn('wrong'))).toEqual([
      429, 400,
    ]);
    expect(await signIn('correct horse')('203.0.113.62')).toBe(200);
  });

  it('[A13] one /48 cannot use up the code attempts of everybody', async () => {
    const guess = (from: string) =>
      post('/verify', { type: 'email', email: `${name()}@example.com`, token: '123456' }, from);
    await guess('2001:db8:64:1::1');
    await env.DB.prepare(
      `UPDATE counters SET count = 150 WHERE key LIKE 'auth:code-network-site:%' OR key LIKE 'auth:code-all:%'`,
    ).run();
    expect(await fromEach(['2001:db8:64:2::1', '2001:db8:65:1::1'], guess)).toEqual([429, 403]);
  });

  it('[A9] notices cannot fill the mailbox of a stranger with autoconfirm', async () => {
    const sent: unknown[] = [];
    const counting: SendEmail = {
      send: async (mail: unknown) => ({ messageId: String(sent.push(mail)) }),
    };
    const open = { ...DEPLOYED, EMAIL: counting, AUTH_AUTOCONFIRM: 'on' };
    const stranger = name();
    const makeKeys = async (tag: string, count: number): Promise<number[]> => {
      const json = { email: `${stranger}${tag}@example.com`, password: 'correct horse' };
      const from = { 'CF-Connecting-IP': '198.51.100.66' };
      const created = await call('/api/auth/v1/signup', { json, headers: from }, open);
      const { access_token: token } = await created.json<{ access_token: string }>();
      const headers = { ...from, Authorization: `Bearer ${token}` };
      const statuses: number[] = [];
      for (let i = 0; i < count; i += 1)
        statuses.push(
          (await call('/api/keys', { json: { name: 'CI', scopes: ['links:read'] }, headers }, open))
            .status,
        );
      return statuses;
    };
    expect(await makeKeys('', 6)).toEqual(Array(6).fill(201));
    expect(await makeKeys('+tag', 6)).toEqual([201, 201, 201, 201, 429, 429]);
    expect(sent).toHaveLength(10);
  });

  it.each([
    ['IPv4 network', () => '198.51.100.70'],
    ['/48', (n: number) => `2001:db8:70:${n}::1`],
  ])('[T57] wrong codes of one %s do not stop the right one', async (_, of) => {
    const email = `${name()}@example.com`;
    await createAccount(
      openDb(env.DB),
      { email, password: 'correct horse', confirmed: true, now: Date.now() },
      CHEAP,
    );
    const guess = (from: string) =>
      post('/verify', { type: 'email', email, token: '123456' }, from);
    const statuses = await fromEach(networks(22, of), guess);
    expect(statuses).toEqual([...Array<number>(20).fill(403), 429, 429]);
    await post('/recover', { email }, '203.0.113.70');
    const mail = (await mailsTo(email))[0]?.text ?? '';
    const token = /\b\d{6}\b/.exec(mail.replaceAll(/https?:\S+/g, ''))?.[0] ?? '';
    expect(await post('/verify', { type: 'email', email, token }, '203.0.113.70')).toBe(200);
  });

  it.each([
    ['network', '/token?grant_type=password', { password: 'wrong' }, EMBEDDED],
    ['mails-hour', '/recover', {}, DEPLOYED],
    ['mails-hour', '/signup', { password: 'secret-1' }, DEPLOYED],
    ['signups-hour', '/signup', { password: 'secret-1' }, { ...DEPLOYED, AUTH_AUTOCONFIRM: 'on' }],
    ['code-network', '/verify', { type: 'email', token: '123456' }, EMBEDDED],
  ])(
    '[T58] requests that %s refuses on %s store no counters',
    async (purpose, path, json, overrides) => {
      const send = () =>
        post(path, { ...json, email: `${name()}@example.com` }, '198.51.100.80', overrides);
      const rows = () =>
        env.DB.prepare('SELECT key, count, expires_at FROM counters ORDER BY key').all();
      expect(await send()).not.toBe(429);
      await env.DB.prepare('UPDATE counters SET count = 300 WHERE key LIKE ?')
        .bind(`auth:${purpose}:%`)
        .run();
      const { results } = await rows();
      const statuses = await Promise.all(Array.from({ length: 40 }, send));
      expect(new Set(statuses)).toEqual(new Set([429]));
      expect((await rows()).results).toEqual(results);
    },
  );

  it.each([
    ['dots', (n: number) => `a${'.'.repeat(n)}nn@gmail.com`],
    ['dots at the other name of Gmail', (n: number) => `an${'.'.repeat(n)}n@googlemail.com`],
    ['dots and tags', (n: number) => `a.${'.'.repeat(n)}nn+${n}@gmail.com`],
  ])('[T61] addresses that differ by %s share the emails of a mailbox', async (_, of) => {
    const recover = (email: string, from: string) => post('/recover', { email }, from, DEPLOYED);
    const statuses: number[] = [];
    for (let n = 1; n <= 12; n += 1) statuses.push(await recover(of(n), `198.51.100.${n}`));
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    expect(await recover('ann@gmail.com', '203.0.113.71')).toBe(429);
    expect(await recover('a.nn@example.com', '203.0.113.71')).toBe(200);
  });

  it('[T61] addresses that differ by dots stay accounts of their own', async () => {
    const [first, second] = [`a.${name()}@gmail.com`, `a${name()}@gmail.com`];
    const account = { password: 'correct horse', confirmed: true, now: Date.now() };
    await createAccount(openDb(env.DB), { ...account, email: first }, CHEAP);
    const signIn = (email: string) =>
      post('/token?grant_type=password', { email, password: 'correct horse' }, '203.0.113.72');
    expect([await signIn(first), await signIn(second)]).toEqual([200, 400]);
  });
});
