import { MINUTE_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { assert, type IAsyncProperty } from 'fast-check';

const soakMs = Number(env.SOAK_MINUTES || 0) * MINUTE_MS;

/**
 * The timeout of a property test in ms. It exceeds a soak, and the gate's time on a busy machine.
 */
export const PROPERTY_TIMEOUT = soakMs + 5 * MINUTE_MS;

/**
 * Checks a property. The gate runs `runs` cases: all `examples` first, then cases of a fixed seed.
 * `HOP_SEED=n` runs the cases of seed n instead. `HOP_SOAK_MINUTES=n` tries new seeds for n minutes.
 * Every seed is printed.
 */
export async function checkProperty<T>(
  name: string,
  property: IAsyncProperty<T>,
  runs: number,
  { seed = 1, examples = [] }: { seed?: number; examples?: T[] } = {},
): Promise<void> {
  if (soakMs === 0)
    return check(name, property, {
      numRuns: Math.max(runs, examples.length),
      seed: Number(env.SOAK_SEED || seed),
      examples,
    });
  const end = Date.now() + soakMs;
  let cases = 0;
  while (Date.now() < end) {
    await check(name, property, {
      numRuns: runs,
      seed: Math.floor(Math.random() * 2 ** 31),
      examples: [],
    });
    cases += runs;
  }
  console.log(`${name}: ${cases} cases held in ${env.SOAK_MINUTES} minutes`);
}

async function check<T>(
  name: string,
  property: IAsyncProperty<T>,
  parameters: { numRuns: number; seed: number; examples: T[] },
): Promise<void> {
  console.log(`${name}: seed ${parameters.seed}, ${parameters.numRuns} cases`);
  await assert(property, { ...parameters, endOnFailure: false });
}
