import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { PLANS } from '#contract/site.ts';
import { openDb } from '#worker/db/client.ts';
import { subscriptions } from '#worker/db/schema-users.ts';
import { makePerson } from '#worker/testing/make.ts';
import { cycleAt } from './cycle.ts';
import { cancelDowngrade, downgrade } from './downgrade.ts';
import { isPremium, limitAt, planFacts, planIncludesNumber } from './plan-at.ts';
import { readPlan, readSubscription } from './subscription.ts';

const db = openDb(env.DB);
const START = Date.UTC(2026, 0, 15);
const { end: DOWNGRADE_AT } = cycleAt(START, START);

async function makeMember(): Promise<string> {
  await db.delete(subscriptions);
  const { id } = await makePerson({ plan: 'premium', usage: 7, now: START });
  await db.update(subscriptions).set({ downgrade_at: DOWNGRADE_AT });
  return id;
}
const valueOf = async (expression: unknown) =>
  (await db.get<{ value: unknown }>(sql`select ${expression} as value from ${subscriptions}`))
    .value;

/** Every place that knows the plan of a member, with its answers for Premium and for Free. */
const PLACES: [string, (id: string, now: number) => Promise<unknown>, unknown, unknown][] = [
  ['readPlan', (id, now) => readPlan(db, id, now), 'premium', 'free'],
  [
    'the plan',
    async (id, now) => (await readSubscription(db, id, now)).plan_type,
    'premium',
    'free',
  ],
  ['the limit', async (id, now) => (await readSubscription(db, id, now)).monthly_limit, 1_000, 25],
  [
    'the planned time',
    async (id, now) => (await readSubscription(db, id, now)).downgrade_at,
    new Date(DOWNGRADE_AT).toISOString(),
    null,
  ],
  ['the usage', async (id, now) => (await readSubscription(db, id, now)).current_usage, 7, 0],
  ['isPremium', (_, now) => valueOf(isPremium(now)), 1, 0],
  ['limitAt', (_, now) => valueOf(limitAt(now)), 1_000, 25],
  [
    'planFacts',
    async (id, now) => JSON.parse(String(await valueOf(planFacts(id, now)))),
    { plan_type: 'premium', monthly_limit: 1_000, current_usage: 7, imported_links: 0 },
    { plan_type: 'free', monthly_limit: 25, current_usage: 7, imported_links: 0 },
  ],
  [
    'planIncludesNumber',
    (id, now) => valueOf(planIncludesNumber(sql`${id}`, 'renames', now)),
    PLANS.premium.renames,
    PLANS.free.renames,
  ],
  ['cancelDowngrade', async (id, now) => (await cancelDowngrade(db, id, now)).ok, true, false],
  [
    'downgrade',
    async (userId, now) => (await downgrade(db, { userId, when: 'now', now })).ok,
    true,
    false,
  ],
];

describe('a planned downgrade and the end of a cycle', () => {
  it.each(PLACES)(
    '%s changes in the millisecond of the downgrade',
    async (_, read, premium, free) => {
      expect(await read(await makeMember(), DOWNGRADE_AT)).toEqual(free);
      expect(await read(await makeMember(), DOWNGRADE_AT - 1)).toEqual(premium);
    },
  );
});
