import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { queueHash } from '#worker/auth/password/hash-queue.ts';
import { call } from '#worker/testing/call.ts';
import { SCRYPT } from '#worker/testing/scrypt-params.ts';
import { EMBEDDED } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';

/** A deployment that sends no email and accepts every address. */
const OPEN = { ...EMBEDDED, DEV_MAILBOX: 'off', MAIL_FROM: '', AUTH_AUTOCONFIRM: 'on' };
const EMAIL: SendEmail = { send: async () => ({ messageId: 'x' }) };
const BY_MAIL = { ...EMBEDDED, DEV_MAILBOX: 'off', MAIL_FROM: 'hop@example.com', EMAIL };
const MODERN = { 'X-Supabase-Api-Version': '2024-01-01' };
const address = (): string => `${crypto.randomUUID().slice(0, 8)}@example.com`;
const signUp = (from: string, overrides: Partial<Env> = OPEN, email = address()) =>
  call(
    '/api/auth/v1/signup',
    { json: { email, password: 'secret-1' }, headers: { ...MODERN, 'CF-Connecting-IP': from } },
    overrides,
  );
const fill = (purpose: string, count: number) =>
  env.DB.prepare('UPDATE counters SET count = ? WHERE key LIKE ?')
    .bind(count, `auth:${purpose}:%`)
    .run();
const accounts = () => env.DB.prepare('SELECT count(*) AS n FROM auth_users').first<number>('n');
const { ...CHEAP_SCRYPT } = SCRYPT;

beforeEach(stopClock);
afterEach(async () => {
  Object.assign(SCRYPT, CHEAP_SCRYPT);
  await env.DB.exec('DELETE FROM counters');
  await env.DB.exec('DELETE FROM auth_users');
});

describe('limits of sign-ups', () => {
  it('signs up without a mail where nothing can be sent', async () => {
    const answer = await signUp('192.0.2.1');
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { access_token: expect.any(String) },
    ]);
  });

  it('counts neither a sign-up nor an email while the server is busy', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const held = Array.from({ length: 9 }, () => queueHash(1, () => released));
    const answers = [await signUp('192.0.2.1', BY_MAIL), await signUp('192.0.2.1', OPEN)];
    release();
    await Promise.all(held);
    expect(answers.map(({ status }) => status)).toEqual([429, 429]);
    expect(
      (await env.DB.prepare('SELECT key FROM counters WHERE count > 0').all()).results,
    ).toEqual([]);
  });

  it('[T55] parallel sign-ups of one network make no more accounts than it may', async () => {
    await signUp('192.0.2.2');
    await fill('signups-%', 6);
    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp('192.0.2.2')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(await accounts()).toBe(5);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('Retry-After')).toBe('3600');
    expect(await refused?.json()).toEqual({
      code: 'over_request_rate_limit',
      message: 'Too many people signed up from your network. Try again in 60 minutes.',
    });
  });

  it.each([
    ['hour of an IPv4 network', 'signups-hour', 10, '192.0.2.3', '192.0.2.3', '192.0.2.4'],
    ['day of an IPv4 network', 'signups-day', 30, '192.0.2.3', '192.0.2.3', '192.0.2.4'],
    [
      'hour of an IPv6 network',
      'signups-hour',
      10,
      '2001:db8:1:1::1',
      '2001:db8:1:1::2',
      '2001:db8:1:2::1',
    ],
    [
      'hour of a /48',
      'signups-hour-site',
      50,
      '2001:db8:2:1::1',
      '2001:db8:2:2::1',
      '2001:db8:3:1::1',
    ],
    [
      'day of a /48',
      'signups-day-site',
      150,
      '2001:db8:2:1::1',
      '2001:db8:2:2::1',
      '2001:db8:3:1::1',
    ],
  ])(
    '[T55] limits sign-ups per %s, with and without mails',
    async (_, purpose, max, first, same, other) => {
      for (const mode of [OPEN, BY_MAIL]) {
        await signUp(first, mode);
        await fill(purpose, max - 1);
        expect((await signUp(same, mode)).status).toBe(200);
        expect((await signUp(same, mode)).status).toBe(429);
        expect((await signUp(other, mode)).status).toBe(200);
        await env.DB.exec('DELETE FROM counters');
      }
    },
  );

  it('[T55] hashes nothing for a sign-up above the limit, and does not count one that fails', async () => {
    await signUp('192.0.2.5');
    await fill('signups-hour', 9);
    SCRYPT.ln = 0;
    expect((await signUp('192.0.2.5')).status).toBe(500);
    Object.assign(SCRYPT, CHEAP_SCRYPT);
    expect((await signUp('192.0.2.5')).status).toBe(200);
    SCRYPT.ln = 0;
    expect((await signUp('192.0.2.5')).status).toBe(429);
  });

  it('[T55] a sign-up with a known address counts, or it would reveal who has an account', async () => {
    const email = address();
    await signUp('192.0.2.6', OPEN, email);
    await fill('signups-hour', 9);
    expect([
      (await signUp('192.0.2.6', OPEN, email)).status,
      (await signUp('192.0.2.6', OPEN, email)).status,
    ]).toEqual([422, 429]);
  });
});
