import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { CHEAP, EMBEDDED } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';

const EMAIL: SendEmail = { send: async () => ({ messageId: 'x' }) };
/** A deployment that sends emails through the binding; this one drops them. */
const DEPLOYED = { ...EMBEDDED, DEV_MAILBOX: 'off', MAIL_FROM: 'hop@example.com', EMAIL };
const name = (): string => crypto.randomUUID().slice(0, 8);
const post = async (path: string, json: unknown, from: string, overrides: Partial<Env> = EMBEDDED): Promise<number> =>
  (await call(`/api/auth/v1${path}`, { json, headers: { 'CF-Connecting-IP': from } }, overrides)).status;
/** Sends one request from each network, one after the other. Returns the statuses. */
async function fromEach(networks: string[], send: (from: string) => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  for (const from of networks) statuses.push(await send(from));
  return statuses;
}
const networks = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n + 1));

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
    const recover = (tag: string, from: string) => post('/recover', { email: `${owner}${tag}@example.com` }, from, DEPLOYED);
    const statuses = await fromEach(
      networks(12, (n) => `198.51.100.${n}`),
      (from) => recover(`+${from}`, from),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(await recover('', '203.0.113.61')).toBe(429);
    expect(await post('/recover', { email: `+${owner}@example.com` }, '203.0.113.61', DEPLOYED)).toBe(200);
  });

  it('[A13] the networks of one /48 cannot lock an account', async () => {
    const email = `${name()}@example.com`;
    await createAccount(openDb(env.DB), { email, password: 'correct horse', confirmed: true, now: Date.now() }, CHEAP);
    const signIn = (password: string) => (from: string) => post('/token?grant_type=password', { email, password }, from);
    await fromEach(['2001:db8:62:1::1'], signIn('wrong'));
    await env.DB.prepare(`UPDATE counters SET count = 20 WHERE key LIKE 'auth:pair:%'`).run();
    expect(await fromEach(['2001:db8:62:2::1', '2001:db8:63:1::1'], signIn('wrong'))).toEqual([429, 400]);
    expect(await signIn('correct horse')('203.0.113.62')).toBe(200);
  });

  it('[A13] one /48 cannot use up the code attempts of everybody', async () => {
    const guess = (from: string) => post('/verify', { type: 'email', email: `${name()}@example.com`, token: '123456' }, from);
    await guess('2001:db8:64:1::1');
    await env.DB.prepare(
      `UPDATE counters SET count = 150 WHERE key LIKE 'auth:code-network-site:%' OR key LIKE 'auth:code-all:%'`,
    ).run();
    expect(await fromEach(['2001:db8:64:2::1', '2001:db8:65:1::1'], guess)).toEqual([429, 403]);
  });

  it('[A9] with autoconfirm, notices cannot fill the mailboxes of strangers', async () => {
    const sent: unknown[] = [];
    const counting: SendEmail = { send: async (mail: unknown) => ({ messageId: String(sent.push(mail)) }) };
    const open = { ...DEPLOYED, EMAIL: counting, AUTH_AUTOCONFIRM: 'on' };
    const headers = { 'CF-Connecting-IP': '198.51.100.66' };
    const signUpAndDelete = async (): Promise<number> => {
      const account = { email: `${name()}@example.com`, password: 'correct horse' };
      const made = await call('/api/auth/v1/signup', { json: account, headers }, open);
      const { access_token: token } = await made.json<{ access_token: string }>();
      const json = { confirm: 'delete my account', links: 'keep', current_password: account.password };
      const deleted = await call(
        '/api/account',
        { method: 'DELETE', json, headers: { ...headers, Authorization: `Bearer ${token}` } },
        open,
      );
      return deleted.status;
    };
    expect(await signUpAndDelete()).toBe(200);
    expect(sent).toHaveLength(1);
    await env.DB.prepare(`UPDATE counters SET count = 10 WHERE key LIKE 'auth:mails-hour:%'`).run();
    expect(await signUpAndDelete()).toBe(200);
    expect(sent).toHaveLength(1);
  });
});
