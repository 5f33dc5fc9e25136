import { env } from 'cloudflare:test';
import { asyncProperty, constantFrom, integer, nat, oneof, record, array, type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { checkProperty, soakTimeout } from '#worker/testing/soak.ts';
import { LINKS, LOCATIONS, makeWorld, type Change, type World } from '#worker/testing/world.ts';
import type { Verdict } from '#worker/testing/gate.ts';

/**
 * Issue 6: all interleavings of create, edit, disable, enable, delete, expire, read and cron, each storage call let
 * through, failed, or cut off one by one, over KV as three locations see it, with a clock of our own.
 * The rules themselves stand in worker/testing/world.ts.
 */

type Step =
  | { kind: 'change'; change: Change; link: number }
  | { kind: 'read'; link: number; at: number }
  | { kind: 'cron' }
  | { kind: 'wait'; ms: number }
  | { kind: 'decide'; pick: number; verdict: Verdict };

const link = nat(LINKS - 1);
const change = constantFrom<Change[]>('create', 'create', 'edit', 'disable', 'enable', 'delete', 'end');
const go: Arbitrary<Step> = record({ kind: constantFrom('decide'), pick: nat(7), verdict: constantFrom('go') });
const calm: Arbitrary<Step> = oneof(
  { weight: 12, arbitrary: go },
  { weight: 4, arbitrary: record({ kind: constantFrom('change'), change, link }) },
  { weight: 5, arbitrary: record({ kind: constantFrom('read'), link, at: nat(LOCATIONS - 1) }) },
  { weight: 1, arbitrary: record({ kind: constantFrom('cron') }) },
  { weight: 2, arbitrary: record({ kind: constantFrom('wait'), ms: constantFrom(10, 50) }) },
);
const rough: Arbitrary<Step> = oneof(
  { weight: 6, arbitrary: calm },
  {
    weight: 1,
    arbitrary: record({ kind: constantFrom('decide'), pick: nat(7), verdict: constantFrom('fail-before', 'fail-after', 'die') }),
  },
  { weight: 1, arbitrary: record({ kind: constantFrom('wait'), ms: integer({ min: 1_000, max: 40_000 }) }) },
);

let person: Person;
beforeAll(async () => {
  person = await makePerson({ plan: 'premium' });
  await env.DB.prepare('UPDATE subscriptions SET monthly_limit = 1000000000 WHERE user_id = ?').bind(person.id).run();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterAll(() => vi.useRealTimers());

async function take(world: World, step: Step): Promise<void> {
  if (step.kind === 'change') world.change(step.change, step.link);
  else if (step.kind === 'read') world.read(step.link, step.at);
  else if (step.kind === 'cron') world.cron();
  else if (step.kind === 'wait') world.wait(step.ms);
  else world.gate.decide(step.pick, step.verdict);
  await world.gate.settled();
}

it(
  'ends with KV equal to D1 without any help of cron where nothing fails, and reads are never older than the bound',
  async () => {
    const property = asyncProperty(array(calm, { minLength: 20, maxLength: 60 }), async (steps) => {
      const world = makeWorld(person.id);
      for (const step of steps) await take(world, step);
      await world.finish();
      expect(await world.differences()).toEqual([]);
      expect(world.broken()).toEqual([]);
    });
    await checkProperty('copies without faults', property, 25);
  },
  soakTimeout(120_000),
);

it(
  'heals by cron within three minutes whatever has failed, and reads are never older than the bound',
  async () => {
    const property = asyncProperty(array(rough, { minLength: 20, maxLength: 60 }), async (steps) => {
      const world = makeWorld(person.id);
      for (const step of steps) await take(world, step);
      await world.finish();
      for (let minute = 0; minute < 3; minute++) {
        world.wait(60_000);
        world.cron();
        await world.finish();
      }
      expect(await world.differences()).toEqual([]);
      expect(await world.pending()).toBe(0);
      world.wait(36_000);
      for (let at = 0; at < LOCATIONS; at++) for (let one = 0; one < LINKS; one++) world.read(one, at, 'current');
      await world.finish();
      expect(world.broken()).toEqual([]);
    });
    await checkProperty('copies with faults', property, 25);
  },
  soakTimeout(120_000),
);
