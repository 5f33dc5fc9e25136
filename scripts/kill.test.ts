import { describe, expect, it } from 'vitest';
import { killUnderLoad } from './kill-under-load.ts';

describe('a server that is killed under load', () => {
  it('a server killed under load loses no acknowledged link and counts no click twice', async () => {
    const { faults, links, clicks, counted } = await killUnderLoad(1);
    expect(faults).toEqual([]);
    expect(Math.min(links, clicks)).toBeGreaterThan(20);
    expect(counted).toBeGreaterThan(0);
  });
});
