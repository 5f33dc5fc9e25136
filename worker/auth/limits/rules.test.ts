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

/** As in docs/auth-protocol.md#limits: reason, maximum, window, and the maximum of a /48. */
const LIMITS: Record<Purpose, [string, number, number, number?]> = {
  pair: ['passwords_limited', 20, QUARTER_MS],
  account: ['passwords_limited', 100, HOUR_MS],
  network: ['passwords_limited', 300, QUARTER_MS, 6_000],
  'code-pair': ['codes_limited', 20, DAY_MS],
  'code-address': ['codes_limited', 100, DAY_MS],
  'code-network': ['codes_limited', 30, HOUR_MS, 150],
  'code-all': ['codes_limited', 600, HOUR_MS],
  'factor-address': ['factor_limited', 5, QUARTER_MS],
  'factor-day': ['factor_limited', 30, DAY_MS],
  'factor-network': ['factor_limited', 30, HOUR_MS, 150],
  'mail-signup': ['mail_too_soon', 1, MINUTE_MS],
  'mail-recovery': ['mail_too_soon', 1, MINUTE_MS],
  'mail-provider': ['mail_too_soon', 1, MINUTE_MS],
  mails: ['address_mails_limited', 10, DAY_MS],
  'mails-pair': ['network_mails_limited', 4, DAY_MS],
  'mails-hour': ['network_mails_limited', 10, HOUR_MS, 200],
  'mails-day': ['network_mails_limited', 30, DAY_MS, 600],
  'mails-all': ['all_mails_limited', 3_000, HOUR_MS],
  'signups-hour': ['sign_ups_limited', 10, HOUR_MS, 50],
  'signups-day': ['sign_ups_limited', 30, DAY_MS, 150],
  notice: ['notices_limited', 5, DAY_MS],
  'sign-in-notice': ['notices_limited', 3, DAY_MS],
  'plan-notice': ['notices_limited', 10, DAY_MS],
  'key-notice': ['notices_limited', 30, DAY_MS],
  'factor-notice': ['notices_limited', 10, DAY_MS],
};
const isPurpose = (name: string): name is Purpose => Object.hasOwn(LIMITS, name);
const PURPOSES = Object.keys(LIMITS).filter(isPurpose);
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
    const expected = Object.entries(LIMITS).flatMap(([purpose, [reason, max, windowMs, siteMax]]) =>
      siteMax === undefined
        ? [[purpose, reason, max, windowMs]]
        : [
            [purpose, reason, max, windowMs],
            [`${purpose}-site`, reason, siteMax, windowMs],
          ],
    );
    expect(
      limits.map(({ key, reason, max, windowMs }) => [purposeOf(key), reason, max, windowMs]),
    ).toEqual(expected);
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
    ['sign_in', 'sign-in-notice'],
    ['factor', 'factor-notice'],
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
