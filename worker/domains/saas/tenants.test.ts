import { env } from 'cloudflare:test';
import * as fc from 'fast-check';
import { afterEach, describe, it, vi } from 'vitest';
import { checkProperty, PROPERTY_TIMEOUT } from '#worker/testing/soak.ts';
import { makeTenants, STEPS, type TenantStep } from '#worker/testing/tenants.ts';

/** Each names who acts: a, b or the operator. */
const TAKEOVER: TenantStep[] = [
  'a claims', 'a checks', 'a proves', 'a breaks', 'b claims', 'b checks', 'b enters', 'b proves', 'a proves', 'b proves',
]; // prettier-ignore
const RETURN: TenantStep[] = [
  'a claims', 'a proves', 'a leaves', 'b claims', 'b proves', 'b leaves', 'a proves', 'operator suspends a', 'operator restores a',
]; // prettier-ignore
const GIFT: TenantStep[] = [
  'a claims', 'a proves', 'a gives to b', 'operator suspends b', 'b gives to a', 'operator restores b', 'b gives to a', 'a deletes', 'b claims', 'b proves',
]; // prettier-ignore
const ENDS: TenantStep[] = [
  'a claims', 'b claims', 'b proves', 'operator suspends b', 'a proves', 'b deletes', 'operator restores b', 'b deletes', 'a proves', 'a breaks',
]; // prettier-ignore
/** The operator names the host before, while and after members have it. */
const SHARED: TenantStep[] = [
  'a claims', 'operator names host', 'a proves', 'operator drops host', 'a proves', 'operator names host', 'a deletes', 'operator names host', 'b claims', 'operator drops host',
]; // prettier-ignore

afterEach(() => vi.restoreAllMocks());

describe('tenants of a host', () => {
  it(
    'a redirect never crosses owners: from memory, KV or D1',
    { timeout: PROPERTY_TIMEOUT },
    async () => {
      await checkProperty(
        'tenants',
        fc.asyncProperty(
          fc.array(fc.constantFrom(...STEPS), { minLength: 4, maxLength: 12 }),
          async (steps) => {
            const world = await makeTenants(env);
            for (const step of steps) await world.step(step);
            world.end();
          },
        ),
        6,
        {
          seed: 20261126,
          examples: [TAKEOVER, RETURN, GIFT, ENDS, SHARED].map((steps): [TenantStep[]] => [steps]),
        },
      );
    },
  );
});
