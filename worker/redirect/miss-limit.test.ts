import { describe, expect, it } from 'vitest';
import { isOverMissLimit, recordMiss } from './miss-limit.ts';

const NOW = 1_800_000_000_000;
const from = (address: string) =>
  new Request('https://hop.example/x', { headers: { 'CF-Connecting-IP': address } });
/** Limits that reject the keys with these beginnings. */
const limits = (...rejected: string[]) => {
  const limiter: RateLimit = {
    limit: async ({ key }) => ({ success: !rejected.some((one) => key.includes(one)) }),
  };
  return { LIMIT_MISSES: limiter, LIMIT_SITES: limiter };
};

describe('isOverMissLimit', () => {
  it('returns true for ten seconds after a miss beyond the limit of a network', async () => {
    const request = from('192.0.2.1');
    expect(await recordMiss(request, limits(), NOW)).toBe(false);
    expect(isOverMissLimit(request, NOW)).toBe(false);
    expect(await recordMiss(request, limits('192.0.2.1'), NOW)).toBe(true);
    expect(isOverMissLimit(request, NOW + 9_999)).toBe(true);
    expect(isOverMissLimit(request, NOW + 10_000)).toBe(false);
    expect(isOverMissLimit(from('192.0.2.2'), NOW)).toBe(false);
    // A blocked network is not counted, and its block does not become longer.
    expect(await recordMiss(request, limits(), NOW + 9_999)).toBe(true);
    expect(isOverMissLimit(request, NOW + 10_000)).toBe(false);
  });

  it('returns true for every network of an IPv6 /48 beyond its limit', async () => {
    expect(await recordMiss(from('2001:db8:1:1::1'), limits('/48'), NOW)).toBe(true);
    expect(isOverMissLimit(from('2001:db8:1:ffff::1'), NOW)).toBe(true);
    expect(isOverMissLimit(from('2001:db8:2:1::1'), NOW)).toBe(false);
  });

  it('remembers 1,000 networks, and those that were blocked last', async () => {
    const all = Array.from({ length: 1_001 }, (_, i) => from(`10.0.${i >> 8}.${i & 255}`));
    const [first, second, third] = all.map((request) => () => isOverMissLimit(request, NOW + 1));
    for (const request of all) await recordMiss(request, limits('10.0.'), NOW);
    expect([first?.(), second?.()]).toEqual([false, true]);
    // The second one is blocked once more, so the third one is the oldest.
    const later = NOW + 10_000;
    for (const address of ['10.0.0.1', '10.1.0.0'])
      await recordMiss(from(address), limits('10.'), later);
    expect([second?.(), third?.()]).toEqual([true, false]);
  });
});
