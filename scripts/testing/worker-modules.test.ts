import { describe, expect, it } from 'vitest';
import { makeResettable } from './worker-modules.ts';

const MODULE = `
const createMemory = () => ({ known: 0 });
export let at = 1;
let last;
export const seen = new Map();
export const memory = createMemory({
  codes: 1,
});
const isolate = { draw: -1 };
export const LIMITS = { codes: 1 };
export const names = new Set(['a']);
export function use() {
  at = 2; last = 3; seen.set(1, 1); memory.known = 1; isolate.draw = 1; LIMITS.codes = 2;
}
export const read = () => [at, last, seen.size, memory.known, isolate.draw, LIMITS.codes];
`;

const evaluate = (code: string): Promise<Record<'use' | 'read', () => unknown>> =>
  import(`data:text/javascript,${encodeURIComponent(code)}`);

describe('makeResettable', () => {
  it('gives state its first value again, and leaves other constants alone', async () => {
    const resets: (() => void)[] = [];
    Object.assign(globalThis, { stateResets: resets });
    const { use, read } = await evaluate(makeResettable(MODULE));
    use();
    expect(read()).toEqual([2, 3, 1, 1, 1, 2]);
    for (const reset of resets) reset();
    expect(read()).toEqual([1, undefined, 0, 0, -1, 2]);
  });

  it('keeps every line and column of the module', () => {
    const changed = makeResettable(MODULE);
    expect(changed.slice(0, MODULE.length).replaceAll('let  ', 'const')).toBe(MODULE);
  });

  it('leaves a module without state as it is', () => {
    const code = 'export const LIMIT = 3;';
    expect(makeResettable(code)).toBe(code);
  });
});
