import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discardUnfinishedDemo, whileUnfinished } from './unfinished.ts';

function newState(): string {
  const state = mkdtempSync(join(tmpdir(), 'hop-state-'));
  mkdirSync(join(state, 'v3'));
  writeFileSync(join(state, 'migrated'), 'hash');
  return state;
}

const isKept = (state: string): boolean =>
  existsSync(join(state, 'v3')) && existsSync(join(state, 'migrated'));

describe('demo data that was interrupted', () => {
  it('demo data is discarded with the whole state when its writer has died', () => {
    const state = newState();
    // Above every system's largest process id.
    writeFileSync(join(state, 'demo-unfinished'), '99999999');
    expect(discardUnfinishedDemo(state)).toBe(true);
    expect(existsSync(join(state, 'v3')) || existsSync(join(state, 'migrated'))).toBe(false);
    expect(discardUnfinishedDemo(state)).toBe(false);
  });

  it('demo data is kept while its writer runs, and when it has finished', async () => {
    const state = newState();
    expect(await whileUnfinished(state, async () => discardUnfinishedDemo(state))).toBe(false);
    expect(discardUnfinishedDemo(state)).toBe(false);
    expect([isKept(state), existsSync(join(state, 'demo-unfinished'))]).toEqual([true, false]);
  });

  it('demo data is discarded after an error', async () => {
    const state = newState();
    await expect(whileUnfinished(state, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    writeFileSync(join(state, 'demo-unfinished'), '99999999');
    expect(discardUnfinishedDemo(state)).toBe(true);
  });
});
