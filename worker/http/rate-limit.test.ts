import { describe, expect, it } from 'vitest';
import { ApiError } from './errors.ts';
import { rateLimit, rateLimitNetwork } from './rate-limit.ts';

/** A limiter that records its keys and rejects those in `full`. */
function limiter(...full: string[]) {
  const keys: string[] = [];
  return {
    keys,
    limit: ({ key }: { key: string }) => (
      keys.push(key),
      Promise.resolve({ success: !full.includes(key) })
    ),
  };
}
const failing = { limit: () => Promise.reject(new Error('down')) };
const from = (address?: string) =>
  new Request(
    'https://hop.example/',
    address === undefined ? {} : { headers: { 'CF-Connecting-IP': address } },
  );

/** The error that `work` throws; undefined if it resolves. */
const errorOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const isTooMany = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 'rate_limited' &&
  error.extra.upgradeRequired === false &&
  error.extra.retryAfter === 60;

describe('rateLimit', () => {
  it('throws 429 for a key over its limit, and passes others', async () => {
    expect(isTooMany(await errorOf(rateLimit(limiter('a'), 'a')))).toBe(true);
    expect(await errorOf(rateLimit(limiter('a'), 'b'))).toBeUndefined();
  });

  it('[T40] passes while the limiter fails', async () => {
    expect(await errorOf(rateLimit(failing, 'a'))).toBeUndefined();
    expect(
      await errorOf(rateLimitNetwork({ LIMIT_SITES: failing }, failing, 'x', from('2001:db8::1'))),
    ).toBeUndefined();
  });
});

describe('rateLimitNetwork', () => {
  it('[A13] counts the network and the /48 around it under the purpose', async () => {
    const [networks, sites] = [limiter(), limiter()];
    await rateLimitNetwork({ LIMIT_SITES: sites }, networks, 'x', from('2001:db8:1:2:3::4'));
    await rateLimitNetwork({ LIMIT_SITES: sites }, networks, 'x', from('192.0.2.1'));
    expect([networks.keys, sites.keys]).toEqual([
      ['x:2001:db8:1:2::/64', 'x:192.0.2.1'],
      ['x:2001:db8:1::/48'],
    ]);
  });

  it.each([
    ['network', limiter('x:2001:db8:1:2::/64'), limiter()],
    ['/48', limiter(), limiter('x:2001:db8:1::/48')],
  ])('throws 429 for a %s over its limit', async (_, networks, LIMIT_SITES) => {
    expect(
      isTooMany(
        await errorOf(rateLimitNetwork({ LIMIT_SITES }, networks, 'x', from('2001:db8:1:2:3::4'))),
      ),
    ).toBe(true);
  });

  it('counts requests without an address together', async () => {
    expect(
      isTooMany(
        await errorOf(rateLimitNetwork({ LIMIT_SITES: limiter() }, limiter('x:'), 'x', from())),
      ),
    ).toBe(true);
  });
});
