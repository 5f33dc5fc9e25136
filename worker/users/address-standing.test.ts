import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { address_standing, users } from '#worker/db/schema-users.ts';
import { clearExpiredQuotas } from '#worker/account/clear-expired-quotas.ts';
import { readSubscription } from '#worker/plans/subscription.ts';
import { call } from '#worker/testing/call.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { makePerson, makeToken } from '#worker/testing/make.ts';
import { findInDatabase } from '#worker/testing/scan.ts';
import {
  addressHash,
  clearDemotion,
  restoreUsedQuota,
  unsuspendAddress,
} from './address-standing.ts';
import { recordFirstRequest } from '#worker/account/first-request.ts';
import { deleteAccount } from '#worker/account/delete-account.ts';

const db = openDb(env.DB);
const SECRET = 'a-secret-of-this-test';
const START = Date.UTC(2026, 0, 31, 12);
const at = (month: number, day: number): number => Date.UTC(2026, month, day);
beforeEach(async () => {
  await db.delete(address_standing);
});

type Someone = { id: string; email: string };
const remove = (user: Someone, now: number) =>
  deleteAccount(db, {
    user,
    links: 'remove',
    label: `deleted-${crypto.randomUUID()}`,
    secret: SECRET,
    now,
  });
/** Creates a new account with this address, as a first request does. */
async function makeAccountAgain(email: string, now: number): Promise<Someone> {
  const person = { id: crypto.randomUUID(), email };
  expect(await recordFirstRequest(db, person, addressHash(SECRET, email), now)).toEqual({
    role: 'user',
    suspension: null,
  });
  return person;
}
const setUsage = (id: string, used: number) =>
  env.DB.prepare('UPDATE subscriptions SET current_usage = ?2 WHERE user_id = ?1')
    .bind(id, used)
    .run();

describe('used quota of a deleted account', () => {
  it('a deleted account’s quota is kept for its cycle, across any number of accounts', async () => {
    let person: Someone = await makePerson({ usage: 20, now: START });
    for (const day of [10, 20, 27]) {
      expect(await remove(person, at(1, day))).toMatchObject({ ok: true });
      person = await makeAccountAgain(person.email, at(1, day));
      expect(await readSubscription(db, person.id, at(1, day))).toEqual({
        plan_type: 'free',
        monthly_limit: 25,
        current_usage: 20,
        billing_cycle_start: '2026-01-31T12:00:00.000Z',
        cycle_ends_at: '2026-02-28T12:00:00.000Z',
        downgrade_at: null,
      });
    }
    expect(await readSubscription(db, person.id, at(2, 1))).toMatchObject({ current_usage: 0 });
  });

  it('a deleted account’s quota is not restored after the end of the cycle', async () => {
    const person = await makePerson({ usage: 20, now: START });
    await remove(person, at(1, 10));
    const { id } = await makeAccountAgain(person.email, at(2, 5));
    expect(await readSubscription(db, id, at(2, 5))).toMatchObject({
      current_usage: 0,
      billing_cycle_start: '2026-03-05T00:00:00.000Z',
    });
    expect(await db.select().from(address_standing)).toEqual([]);
  });

  it('a deleted account’s quota is stored in one place, so that a reset is final', async () => {
    const person = await makePerson({ usage: 20, now: START });
    await remove(person, at(1, 10));
    expect(await db.select().from(address_standing)).toMatchObject([
      { current_usage: 20, quota_until: Date.UTC(2026, 1, 28, 12) },
    ]);
    const second = await makeAccountAgain(person.email, at(1, 11));
    expect(await db.select().from(address_standing)).toEqual([]);
    await setUsage(second.id, 0);
    await remove(second, at(1, 12));
    const third = await makeAccountAgain(person.email, at(1, 13));
    expect(await readSubscription(db, third.id, at(1, 13))).toMatchObject({ current_usage: 0 });
  });

  it('an account that used nothing in this cycle leaves no quota', async () => {
    await remove(await makePerson({ usage: 20, now: START }), at(2, 5));
    await remove(await makePerson({ now: START }), at(1, 10));
    expect(await db.select().from(address_standing)).toEqual([]);
  });

  it('the used quota of a Premium account counts against the free plan', async () => {
    const person = await makePerson({ plan: 'premium', usage: 300 });
    const json = { confirm: 'delete my account', links: 'remove' };
    expect(
      (await call('/api/account', { method: 'DELETE', json, headers: person.headers })).status,
    ).toBe(200);
    const headers = {
      Authorization: `Bearer ${await makeToken({ sub: crypto.randomUUID(), email: person.email })}`,
    };
    const answer = await call('/api/shorten', {
      json: { longUrl: 'https://example.com/' },
      headers,
    });
    expect(await answer.json()).toMatchObject({ code: 'quota_reached' });
  });

  it('the used quota includes every link created while the account is being deleted', async () => {
    for (let step = 0, calls = step; step <= calls; step += 1) {
      const person = await makePerson();
      const shorten = () =>
        call('/api/shorten', {
          json: { longUrl: 'https://example.com/' },
          headers: person.headers,
        });
      await shorten();
      // The first link creates the subscription row, so an account without links has none.
      if (step % 2 === 0)
        await env.DB.prepare('DELETE FROM subscriptions WHERE user_id = ?').bind(person.id).run();
      let made = step % 2;
      calls = 0;
      const DB = aroundD1(env.DB, async (_, run) => {
        if (calls++ === step && (await shorten()).status === 201) made += 1;
        return run();
      });
      const json = { confirm: 'delete my account', links: 'keep' };
      expect(
        (await call('/api/account', { method: 'DELETE', json, headers: person.headers }, { DB }))
          .status,
      ).toBe(200);
      const headers = {
        Authorization: `Bearer ${await makeToken({ sub: crypto.randomUUID(), email: person.email })}`,
      };
      expect(await (await call('/api/subscription', { headers })).json()).toMatchObject({
        current_usage: made,
      });
    }
  });
});

describe('address_standing', () => {
  const quota = { cycle_anchor: 1, billing_cycle_start: 1, current_usage: 5, quota_until: START };
  const suspension = { suspended_at: 1, suspended_reason: 'Spam.' };
  const demotion = { demoted_at: 1 };
  const yes = sql`1`;
  const clear = {
    suspension: () => unsuspendAddress('h', yes),
    demotion: () => clearDemotion('h', yes),
    quota: () => restoreUsedQuota('h', crypto.randomUUID(), 25, START - 1, yes),
  };

  it.each([
    ['demotion', 'suspension', suspension],
    ['demotion', 'quota', quota],
    ['suspension', 'demotion', demotion],
    ['suspension', 'quota', quota],
    ['quota', 'suspension', suspension],
    ['quota', 'demotion', demotion],
  ] as const)(
    'clears the %s and keeps the %s, then deletes the empty row',
    async (cleared, kept, values) => {
      const all = { suspension, demotion, quota };
      await db.insert(address_standing).values({ address_hash: 'h', ...all[cleared], ...values });
      await runBatch(db, clear[cleared]());
      expect(await db.select().from(address_standing)).toMatchObject([values]);
      await runBatch(db, clear[kept]());
      expect(await db.select().from(address_standing)).toEqual([]);
    },
  );

  it('the highest quota of several accounts with the same address is kept', async () => {
    const email = 'shared@example.com';
    for (const [usage, stored] of [
      [5, 5],
      [9, 9],
      [3, 9],
    ] as const) {
      const { id } = await makePerson({ usage, now: START });
      await remove({ id, email }, at(1, 10));
      expect(await db.select().from(address_standing)).toMatchObject([{ current_usage: stored }]);
    }
  });

  it.each([
    [START + 1, 5],
    [START, 0],
  ])('a quota until %i is restored before that time only', async (quota_until, used) => {
    await db.insert(address_standing).values({ ...quota, address_hash: 'h', quota_until });
    const { id } = await makePerson({ now: 1 });
    await env.DB.prepare('DELETE FROM subscriptions WHERE user_id = ?').bind(id).run();
    await runBatch(db, restoreUsedQuota('h', id, 25, START, yes));
    const row = await env.DB.prepare(
      'SELECT current_usage AS used FROM subscriptions WHERE user_id = ?',
    )
      .bind(id)
      .first();
    expect(row).toEqual(used === 0 ? null : { used });
    expect(await db.select().from(address_standing)).toEqual([]);
  });

  it('a lower quota replaces a higher one whose cycle has ended', async () => {
    const email = 'again@example.com';
    const [address_hash, now] = [addressHash(SECRET, email) ?? '', at(1, 10)];
    for (const [quota_until, stored] of [
      [now + 1, 9],
      [now, 3],
    ] as const) {
      await db.delete(address_standing);
      const values = { ...quota, address_hash, current_usage: 9, quota_until };
      await db.insert(address_standing).values(values);
      const { id } = await makePerson({ usage: 3, now: START });
      await remove({ id, email }, now);
      expect(await db.select().from(address_standing)).toMatchObject([{ current_usage: stored }]);
    }
  });

  it('finds the address in any case, and only with the same secret', () => {
    const hash = addressHash(SECRET, 'Ann@Example.com');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(addressHash(SECRET, 'ann@example.com')).toBe(hash);
    expect(addressHash('another secret', 'ann@example.com')).not.toBe(hash);
    expect(addressHash(SECRET, '')).toBeNull();
  });

  it('stores no id and no email, and nothing for users without an email', async () => {
    const person = await makePerson({ usage: 5 });
    await remove(person, Date.now());
    expect(await db.select().from(address_standing)).toHaveLength(1);
    expect(await findInDatabase(new RegExp(`${person.id}|${person.email}`))).toEqual([]);
    await db.delete(address_standing);
    const nameless = { ...(await makePerson({ usage: 5 })), email: '' };
    await db.update(users).set({ email: '' });
    await remove(nameless, Date.now());
    expect(await db.select().from(address_standing)).toEqual([]);
    await makeAccountAgain('', Date.now());
  });

  it('clears ended quotas in steps and keeps suspensions and demotions', async () => {
    const now = Date.now();
    await env.DB.prepare(
      `INSERT INTO address_standing (address_hash, current_usage, quota_until, demoted_at)
       SELECT 'h' || value, 1, iif(value < 4500, ?2, ?2 + 1), iif(value % 500 = 0, 7, NULL) FROM json_each(?1)`,
    )
      .bind(JSON.stringify(Array.from({ length: 4501 }, (_, i) => i)), now)
      .run();
    expect(await clearExpiredQuotas(env, now)).toMatchObject({ done: { quotas_cleared: 4500 } });
    expect(await clearExpiredQuotas(env, now)).toMatchObject({ done: { quotas_cleared: 0 } });
    const left = await db.select().from(address_standing);
    expect(
      left.filter(
        (row) => row.quota_until === null && row.current_usage === null && row.demoted_at === 7,
      ),
    ).toHaveLength(9);
    expect(left).toHaveLength(10);
  });
});
