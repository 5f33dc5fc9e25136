import { describe, expect, it } from 'vitest';
import type { Me } from '#contract/account/account.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

/** A rate limiter that rejects every request and records the keys. */
function rejectingLimiter() {
  const keys: string[] = [];
  return {
    keys,
    limit: ({ key }: { key: string }) => (keys.push(key), Promise.resolve({ success: false })),
  };
}

describe('GET /api/me', () => {
  it('returns the token’s user with the role from the database', async () => {
    const admin = await makePerson({ role: 'admin' });
    const response = await call('/api/me', {
      headers: { ...admin.headers, 'x-user-id': crypto.randomUUID() },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      id: admin.id,
      email: admin.email,
      role: 'admin',
      plan: 'free',
    });
  });

  it('returns the plan, which an upgrade changes at once', async () => {
    const { headers } = await makePerson();
    const plan = async () => (await (await call('/api/me', { headers })).json<Me>()).plan;
    expect(await plan()).toBe('free');
    await call('/api/subscription', { headers, json: {} }, { BILLING: 'demo' });
    expect(await plan()).toBe('premium');
  });

  it('returns 401 without a token', async () => {
    expect((await call('/api/me')).status).toBe(401);
  });
});

describe('rate limits of the account', () => {
  it('returns 429 for a deletion over the limit and deletes nothing', async () => {
    const { id, headers } = await makePerson();
    const limiter = rejectingLimiter();
    const json = { confirm: 'delete my account', links: 'remove' };
    const rejected = await call(
      '/api/account',
      { method: 'DELETE', json, headers },
      { LIMIT_WRITES: limiter },
    );
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '60']);
    expect(await rejected.json()).toMatchObject({ code: 'rate_limited', upgradeRequired: false });
    expect(limiter.keys).toEqual([id]);
    expect((await call('/api/me', { headers })).status).toBe(200);
  });

  it.each(['/api/account/export', '/api/account/links.csv'])(
    'returns 429 for %s over the limit',
    async (path) => {
      const { id, headers } = await makePerson();
      const limiter = rejectingLimiter();
      const rejected = await call(path, { headers }, { LIMIT_VISITOR_LINKS: limiter });
      expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '60']);
      expect(limiter.keys).toEqual([`export:${id}`]);
    },
  );
});
