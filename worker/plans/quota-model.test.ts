import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLANS, type PlanType } from '#contract/site.ts';
import { DAY_MS } from '#contract/time.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { makePerson } from '#worker/testing/make.ts';
import { checkProperty, PROPERTY_TIMEOUT } from '#worker/testing/soak.ts';
import { addMonths } from './cycle.ts';
import { cancelDowngrade, downgrade } from './downgrade.ts';
import { readCycleStart, consumeQuota } from './quota.ts';
import { readSubscription, setPlan } from './subscription.ts';

const db = openDb(env.DB);
const ANCHOR = Date.UTC(2026, 0, 31, 10);

type Step =
  | { do: 'wait'; ms: number }
  | { do: 'take'; links: number }
  | { do: 'downgrade'; when: 'now' | 'cycle_end' }
  | { do: 'cancel' }
  | { do: 'set'; plan: PlanType };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('take' as const),
        links: fc.integer({ min: 1, max: 30 }),
      }),
    },
    // From zero to more than a cycle.
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.integer({ min: 0, max: 45 * DAY_MS }),
      }),
    },
    fc.record({
      do: fc.constant('downgrade' as const),
      when: fc.constantFrom('now' as const, 'cycle_end' as const),
    }),
    fc.record({ do: fc.constant('cancel' as const) }),
    fc.record({
      do: fc.constant('set' as const),
      plan: fc.constantFrom<PlanType>('free', 'premium', 'premium'),
    }),
  ),
  { minLength: 4, maxLength: 14 },
);

/**
 * The model of a subscription. It applies the rules at every end of a cycle; the Worker applies
 * them when it next reads or writes the row.
 */
type Model = {
  now: number;
  months: number;
  plan: PlanType;
  used: number;
  isDowngradePlanned: boolean;
};

const newModel = (): Model => ({
  now: ANCHOR,
  months: 0,
  plan: 'free',
  used: 0,
  isDowngradePlanned: false,
});
const cycleEnd = ({ months }: Model): number => addMonths(ANCHOR, months + 1);
const limitOf = ({ plan }: Model): number => PLANS[plan].monthlyLimit;

function wait(model: Model, ms: number): void {
  model.now += ms;
  while (cycleEnd(model) <= model.now) {
    model.months += 1;
    model.used = 0;
    if (model.isDowngradePlanned) changePlan(model, 'free');
  }
}
function take(model: Model, links: number): boolean {
  const fits = model.used + links <= limitOf(model);
  if (fits) model.used += links;
  return fits;
}
function changePlan(model: Model, plan: PlanType): void {
  model.plan = plan;
  model.isDowngradePlanned = false;
}

/** Runs one step in the model and in D1. Returns what each answers. */
async function run(
  step: Step,
  model: Model,
  userId: string,
): Promise<[expected: boolean, actual: boolean]> {
  const { now } = model;
  const isPremium = model.plan === 'premium';
  switch (step.do) {
    case 'wait':
      wait(model, step.ms);
      return [true, true];
    case 'take': {
      const cycleStart = await readCycleStart(db, userId, now);
      const { taken } = await runNamedBatch(db, {
        taken: consumeQuota({ userId, links: step.links, cycleStart, now, when: sql`true` })
          .statements,
      });
      return [take(model, step.links), taken.rows.length === 1];
    }
    case 'downgrade': {
      const { ok } = await downgrade(db, { userId, when: step.when, now });
      if (isPremium && step.when === 'now') changePlan(model, 'free');
      else if (isPremium) model.isDowngradePlanned = true;
      return [isPremium, ok];
    }
    case 'cancel': {
      const { ok } = await cancelDowngrade(db, userId, now);
      model.isDowngradePlanned = false;
      return [isPremium, ok];
    }
    case 'set':
      changePlan(model, step.plan);
      await setPlan(db, userId, step.plan, now);
      return [true, true];
  }
}

describe('quota and plan', () => {
  it(
    '[T25] [T26] quota and plan follow the rules through any links, waiting and changes',
    { timeout: PROPERTY_TIMEOUT },
    async () => {
      await checkProperty(
        'quota',
        fc.asyncProperty(steps, async (sequence) => {
          const { id } = await makePerson({ now: ANCHOR });
          const model = newModel();
          for (const step of sequence) {
            const [expected, actual] = await run(step, model, id);
            expect(actual).toBe(expected);
            expect(await readSubscription(db, id, model.now)).toEqual({
              plan_type: model.plan,
              monthly_limit: limitOf(model),
              current_usage: model.used,
              billing_cycle_start: new Date(addMonths(ANCHOR, model.months)).toISOString(),
              cycle_ends_at: new Date(cycleEnd(model)).toISOString(),
              downgrade_at: model.isDowngradePlanned
                ? new Date(cycleEnd(model)).toISOString()
                : null,
            });
          }
        }),
        20,
      );
    },
  );
});
