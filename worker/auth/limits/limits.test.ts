import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { CHEAP, EMBEDDED, mailsTo, pressLink, tab } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { consume } from './counters.ts';
import { limitsOf } from './limits.ts';
import { readAuthSettings } from '#worker/auth/service/settings.ts';

const db = openDb(env.DB);
const address = (): string => `${crypto.randomUUID().slice(0, 8)}@example.com`;
const MODERN = { 'X-Supabase-Api-Version': '2024-01-01' };
const EMAIL: SendEmail = { send: async () => ({ messageId: 'x' }) };
/** A deployment whose email binding drops every email. */
const DEPLOYED = { ...EMBEDDED, DEV_MAILBOX: 'off', MAIL_FROM: 'hop@example.com', EMAIL };
const post = (
  path: string,
  json: unknown,
  from = '192.0.2.1',
  overrides: Partial<Env> = EMBEDDED,
) =>
  call(
    `/api/auth/v1${path}`,
    { json, headers: { ...MODERN, 'CF-Connecting-IP': from } },
    overrides,
  );
const recover = (email: string, from?: string, overrides?: Partial<Env>) =>
  post('/recover', { email }, from, overrides);
const guess = (email: string, from?: string) =>
  post('/verify', { type: 'email', email, token: '123456' }, from);
const fill = (purpose: string, count: number) =>
  env.DB.prepare('UPDATE counters SET count = ? WHERE key LIKE ?')
    .bind(count, `auth:${purpose}:%`)
    .run();
const errorOf = async (answer: Response) => {
  const { code, message } = await answer.json<{ code: string; message: string }>();
  return {
    status: answer.status,
    code,
    message,
    retryAfter: Number(answer.headers.get('Retry-After')),
  };
};
// The clock stands still, so that the waits in answers do not depend on a busy machine.
beforeEach(stopClock);
afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare('DELETE FROM counters').run();
});
describe('limits', () => {
  it('allows ten emails a day per address, known or not, and more after one was used', async () => {
    const known = address();
    await createAccount(
      db,
      { email: known, password: 'correct horse', confirmed: true, now: 1 },
      CHEAP,
    );
    for (const email of [known, address()]) {
      for (let i = 0; i < 5; i += 1) {
        expect((await recover(email)).status).toBe(200);
        expect((await post('/resend', { type: 'signup', email })).status).toBe(200);
      }
      expect(await errorOf(await recover(email))).toEqual({
        status: 429,
        code: 'over_email_send_rate_limit',
        message: 'This address has been sent too many emails. Try again in 24 hours.',
        retryAfter: 86_400,
      });
      expect((await post('/signup', { email, password: 'secret-1' })).status).toBe(429);
    }
    const mails = await mailsTo(known);
    expect(mails).toHaveLength(10);
    expect((await pressLink(mails.find(({ link }) => link.includes('#')))).status).toBe(200);
    expect((await recover(known)).status).toBe(200);
  });

  it('parallel requests get no more emails than the limit', async () => {
    const email = address();
    const answers = await Promise.all(Array.from({ length: 15 }, () => recover(email)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it('allows ten external emails an hour and thirty a day per network', async () => {
    const from = '198.51.100.20';
    for (let i = 0; i < 10; i += 1)
      expect((await recover(address(), from, DEPLOYED)).status).toBe(200);
    expect(await errorOf(await recover(address(), from, DEPLOYED))).toMatchObject({
      status: 429,
      message: 'Too many emails were requested from your network. Try again in 60 minutes.',
    });
    expect((await recover(address(), '198.51.100.21', DEPLOYED)).status).toBe(200);
    await fill('mails-hour', 0);
    await fill('mails-day', 30);
    expect(await errorOf(await recover(address(), from, DEPLOYED))).toMatchObject({
      message: 'Too many emails were requested from your network. Try again in 24 hours.',
    });
    // The local mailbox has no limits per network.
    expect((await recover(address(), from)).status).toBe(200);
  });

  it('[A9] the networks of a /48 share twenty times the emails of one network', async () => {
    for (let i = 0; i < 3; i += 1) await recover(address(), `2001:db8:7:${i}::1`, DEPLOYED);
    await fill('mails-hour-site', 200);
    expect((await recover(address(), '2001:db8:7:99::1', DEPLOYED)).status).toBe(429);
    expect((await recover(address(), '2001:db8:8:99::1', DEPLOYED)).status).toBe(200);
  });

  it('limits the emails of an hour over all addresses and logs it once', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    await recover(address(), '203.0.113.1', DEPLOYED);
    await fill('mails-all', 2_999);
    expect((await recover(address(), '203.0.113.2', DEPLOYED)).status).toBe(200);
    for (const host of [3, 4]) {
      const error = await errorOf(await recover(address(), `203.0.113.${host}`, DEPLOYED));
      expect(error).toMatchObject({
        status: 429,
        message: 'We are sending too many emails right now. Try again in 60 minutes.',
      });
    }
    expect(lines.filter((line) => line.includes('auth_mail_limit_reached'))).toEqual([
      '{"event":"auth_mail_limit_reached","mails_per_hour":3000}',
    ]);
  });

  it('[T57] allows 100 code attempts a day per address, while the link still works', async () => {
    const email = address();
    await createAccount(db, { email, password: 'correct horse', confirmed: true, now: 1 }, CHEAP);
    await recover(email);
    const guesses = (from: number) =>
      Promise.all(
        Array.from(
          { length: 11 },
          async (_, host) => (await guess(email, `203.0.113.${from + host}`)).status,
        ),
      );
    const first = await guesses(0);
    await fill('code-address', 91);
    // A new email has a new code, but does not allow more attempts.
    await recover(email);
    expect([...first, ...(await guesses(11))].filter((status) => status === 429)).toHaveLength(2);
    expect(await errorOf(await guess(email))).toMatchObject({
      code: 'over_request_rate_limit',
      message:
        'Too many wrong codes. Open the link in the email instead, or try again in 24 hours.',
    });
    expect((await pressLink((await mailsTo(email))[0])).status).toBe(200);
    expect((await guess(email)).status).toBe(403);
  });

  it.each([
    ['code-network', 30, '198.51.100.30', '198.51.100.31'],
    ['code-network-site', 150, '2001:db8:9:2::1', '2001:db8:a:2::1'],
  ])('limits code attempts at many addresses by %s', async (purpose, max, from, elsewhere) => {
    await guess(address(), from);
    await fill(purpose, max);
    expect((await guess(address(), from)).status).toBe(429);
    expect((await guess(address(), elsewhere)).status).toBe(403);
  });

  it('limits code attempts over all addresses, not counting correct ones', async () => {
    const email = address();
    await createAccount(db, { email, password: 'correct horse', confirmed: true, now: 1 }, CHEAP);
    await guess(address(), '203.0.113.50');
    await fill('code-all', 599);
    await recover(email);
    const code =
      /\b\d{6}\b/.exec(
        ((await mailsTo(email))[0]?.text ?? '').replaceAll(/https?:\S+/g, ''),
      )?.[0] ?? '';
    expect((await tab().auth.verifyOtp({ email, token: code, type: 'recovery' })).error).toBeNull();
    const { results } = await env.DB.prepare(
      "SELECT count FROM counters WHERE key LIKE 'auth:code-network:%' ORDER BY count",
    ).all();
    expect(results).toEqual([{ count: 0 }, { count: 1 }]);
    expect((await guess(address(), '203.0.113.51')).status).toBe(403);
    expect((await guess(address(), '203.0.113.52')).status).toBe(429);
  });

  it('limits wrong passwords from the networks of one /48 together', async () => {
    const signIn = (from: string) =>
      post('/token?grant_type=password', { email: address(), password: 'wrong' }, from);
    expect((await signIn('2001:db8:b:1::1')).status).toBe(400);
    await fill('network-site', 6_000);
    expect((await signIn('2001:db8:b:2::1')).status).toBe(429);
    expect((await signIn('2001:db8:c:2::1')).status).toBe(400);
  });

  it('a refused attempt counts on no limit, and a reached limit is reported once', async () => {
    const [low, high] = [
      { key: 'test:low', max: 1, windowMs: 1_000 },
      { key: 'test:high', max: 3, windowMs: 5_000 },
    ];
    expect(await consume(db, [low, high], 0)).toEqual({ exceeded: null, reached: [low] });
    for (let i = 0; i < 5; i += 1)
      expect(await consume(db, [low, high], 1)).toEqual({
        exceeded: { limit: low, retryAfterMs: 999 },
        reached: [],
      });
    expect(await consume(db, [low, high], 1_000)).toEqual({ exceeded: null, reached: [low] });
    expect(await consume(db, [high], 1_001)).toEqual({ exceeded: null, reached: [high] });
    expect(await consume(db, [low, high], 2_500)).toEqual({
      exceeded: { limit: high, retryAfterMs: 3_501 },
      reached: [],
    });
  });

  it('an IPv4 network has no limit of a /48', () => {
    const settings = readAuthSettings({ ...env, ...EMBEDDED }, 'http://localhost:8787/');
    const limits = (network: string, site: string) => {
      const context: AuthContext = {
        db,
        settings,
        hashers: null,
        network,
        site,
        userAgent: '',
        country: '',
        now: 0,
      };
      return limitsOf(context, ['network'], '').map(({ max }) => max);
    };
    expect(limits('192.0.2.1', '')).toEqual([300]);
    expect(limits('2001:db8:1:2::/64', '2001:db8:1::/48')).toEqual([300, 6_000]);
  });
});
