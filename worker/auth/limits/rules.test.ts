import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';
import { createAuthContext } from '#worker/auth/service/context.ts';
import { openDb } from '#worker/db/client.ts';
import { ORIGIN } from '#worker/testing/call.ts';
import { CHEAP, EMBEDDED } from '#worker/testing/sign-in.ts';
import { countNotice, forgetAttempts } from './attempts.ts';
import { consume } from './counters.ts';
import { allLimitsOf, limitsOf, type Purpose } from './limits.ts';

const db = openDb(env.DB);
const INTERVAL = { AUTH_EMAIL_INTERVAL_SECONDS: '60' };
const DEPLOYED = { ...INTERVAL, DEV_MAILBOX: 'off' };
const contextOf = (overrides: Partial<Env>) => {
  const headers = { 'CF-Connecting-IP': '2001:db8:1:2::3' };
  const request = new Request(ORIGIN, { headers });
  return createAuthContext({ ...env, ...EMBEDDED, ...overrides }, db, request, 1_000);
};
const QUARTER_MS = 15 * MINUTE_MS;

/** The table in docs/auth-protocol.md#limits: maximum, window, and the maximum of a /48. */
const LIMITS: [Purpose, number, number, number?][] = [
  ['pair', 20, QUARTER_MS],
  ['account', 100, HOUR_MS],
  ['network', 300, QUARTER_MS, 6_000],
  ['code-pair', 20, DAY_MS],
  ['code-address', 100, DAY_MS],
  ['code-network', 30, HOUR_MS, 150],
  ['code-all', 600, HOUR_MS],
  ['factor-address', 5, QUARTER_MS],
  ['factor-day', 30, DAY_MS],
  ['factor-network', 30, HOUR_MS, 150],
  ['mail-signup', 1, MINUTE_MS],
  ['mail-recovery', 1, MINUTE_MS],
  ['mails', 10, DAY_MS],
  ['mails-pair', 4, DAY_MS],
  ['mails-hour', 10, HOUR_MS, 200],
  ['mails-day', 30, DAY_MS, 600],
  ['mails-all', 3_000, HOUR_MS],
  ['signups-hour', 10, HOUR_MS, 50],
  ['signups-day', 30, DAY_MS, 150],
  ['notice', 5, DAY_MS],
  ['plan-notice', 10, DAY_MS],
  ['key-notice', 30, DAY_MS],
];
const PURPOSES = LIMITS.map(([purpose]) => purpose);
const purposeOf = (key: string): string => key.split(':')[1] ?? '';
const countedPurposes = async () => {
  const { results } = await env.DB.prepare('SELECT key FROM counters WHERE count > 0').all();
  return results.map(({ key }) => purposeOf(String(key))).toSorted();
};
afterEach(async () => {
  await env.DB.prepare('DELETE FROM counters').run();
});

describe('every limit of the sign-in', () => {
  it('limits have the maxima and windows of the documentation', () => {
    const limits = limitsOf(contextOf(DEPLOYED), PURPOSES, 'ada@example.com');
    const expected = LIMITS.flatMap(([purpose, max, windowMs, siteMax]) =>
      siteMax === undefined
        ? [[purpose, max, windowMs]]
        : [
            [purpose, max, windowMs],
            [`${purpose}-site`, siteMax, windowMs],
          ],
    );
    expect(limits.map(({ key, max, windowMs }) => [purposeOf(key), max, windowMs])).toEqual(
      expected,
    );
  });

  it('a developer’s machine has no limits that protect strangers and capacity', () => {
    const local = limitsOf(contextOf(INTERVAL), PURPOSES, 'ada@example.com');
    const absent = PURPOSES.filter((name) => local.every(({ key }) => purposeOf(key) !== name));
    expect(absent).toEqual([
      'mails-pair',
      'mails-hour',
      'mails-day',
      'mails-all',
      'signups-hour',
      'signups-day',
    ]);
  });

  it('proving the mailbox resets every limit of its address and no other', async () => {
    const context = contextOf(DEPLOYED);
    await consume(db, allLimitsOf(context, PURPOSES, 'ada@example.com'), 1_000);
    await consume(db, allLimitsOf(context, ['notice'], 'bob@example.com'), 1_000);
    await forgetAttempts(context, 'ada@example.com');
    expect(await countedPurposes()).toEqual([
      'code-all',
      'code-network',
      'code-network-site',
      'factor-address',
      'factor-day',
      'factor-network',
      'factor-network-site',
      'mails-all',
      'mails-day',
      'mails-day-site',
      'mails-hour',
      'mails-hour-site',
      'network',
      'network-site',
      'notice',
      'signups-day',
      'signups-day-site',
      'signups-hour',
      'signups-hour-site',
    ]);
  });

  it.each([
    ['account', 'notice'],
    ['plan', 'plan-notice'],
    ['key', 'key-notice'],
  ] as const)('a refunded notice about the %s counts on no limit', async (kind, purpose) => {
    const email = `${kind}@example.com`;
    await createAccount(db, { email, password: 'secret-1', confirmed: false, now: 1 }, CHEAP);
    const notice = await countNotice(contextOf(DEPLOYED), email, kind);
    // The mailbox is unproven, so the notice also counts as an email to a stranger.
    expect(await countedPurposes()).toEqual(['mails', purpose].toSorted());
    if (notice.ok) await notice.refund();
    expect(await countedPurposes()).toEqual([]);
  });
});
