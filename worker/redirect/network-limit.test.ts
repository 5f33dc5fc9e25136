import { describe, expect, it } from 'vitest';
import { findExceededNetwork } from './network-limit.ts';

const request = new Request('https://hop.example/a', {
  headers: { 'CF-Connecting-IP': '2001:db8:1:2::3' },
});
const limiter = (limit: RateLimit['limit']): RateLimit => ({ limit });
const lets = limiter(() => Promise.resolve({ success: true }));
const stops = limiter(() => Promise.resolve({ success: false }));
const fails = limiter(() => Promise.reject(new Error('down')));

describe('findExceededNetwork', () => {
  it.each([
    ['the network is over its limit', stops, stops, '2001:db8:1:2::/64'],
    ['the /48 is over its limit', lets, stops, '2001:db8:1::/48'],
    ['neither is', lets, lets, null],
    ['the limiters fail', fails, fails, null],
  ])('returns what to block if %s', async (_, networks, LIMIT_SITES, expected) => {
    expect(await findExceededNetwork({ LIMIT_SITES }, networks, 'miss', request)).toBe(expected);
  });
});
