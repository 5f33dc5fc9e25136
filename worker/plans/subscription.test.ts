import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson, makeToken } from '#worker/testing/make.ts';

type Headers = Record<string, string>;

const read = async (headers: Headers): Promise<Record<string, unknown>> =>
  (await call('/api/subscription', { headers })).json();
const upgrade = (headers: Headers, overrides: Partial<Env> = {}): Promise<Response> =>
  call('/api/subscription', { json: {}, headers }, overrides);
const shorten = (headers: Headers, customCode?: string): Promise<Response> =>
  call('/api/shorten', { json: { longUrl: 'https://example.com', customCode }, headers });
const rowOf = (id: string): Promise<Record<string, unknown> | null> =>
  env.DB.prepare('SELECT * FROM subscriptions WHERE user_id = ?1').bind(id).first();

describe('GET /api/subscription', () => {
  it('a member without a subscription gets the free plan, once', async () => {
    const id = crypto.randomUUID();
    const headers = {
      Authorization: `Bearer ${await makeToken({ sub: id, email: 'new@example.com' })}`,
    };
    const first = await read(headers);
    expect(first).toMatchObject({ plan_type: 'free', monthly_limit: 25, current_usage: 0 });
    const anchor = Number((await rowOf(id))?.['cycle_anchor']);
    expect(first['billing_cycle_start']).toBe(new Date(anchor).toISOString());
    expect(await read(headers)).toEqual(first);
  });

  it('reads a cycle that has ended as a new one, without writing', async () => {
    const anchor = Date.now() - 40 * DAY_MS;
    const person = await makePerson({ usage: 25, now: anchor });
    const before = await rowOf(person.id);
    const body = await read(person.headers);
    expect(body).toMatchObject({ current_usage: 0, monthly_limit: 25 });
    expect(Date.parse(String(body['billing_cycle_start']))).toBeGreaterThan(anchor);
    expect(Date.parse(String(body['cycle_ends_at']))).toBeGreaterThan(Date.now());
    expect(await rowOf(person.id)).toEqual(before);
  });

  it('deleting a link keeps the usage', async () => {
    const person = await makePerson({ usage: 3 });
    await shorten(person.headers, 'spent');
    expect(
      (await call('/api/links/spent', { method: 'DELETE', headers: person.headers })).status,
    ).toBe(200);
    expect(await read(person.headers)).toMatchObject({ current_usage: 4 });
  });

  it('shows usage above the limit after a downgrade, and no link can be created', async () => {
    const person = await makePerson({ plan: 'free', usage: 300 });
    expect(await read(person.headers)).toMatchObject({ current_usage: 300, monthly_limit: 25 });
    expect(await (await shorten(person.headers)).json()).toMatchObject({
      code: 'quota_reached',
      upgradeRequired: true,
    });
  });
});

describe('POST /api/subscription', () => {
  it('[T26] returns 402 with BILLING=none, every time, and the plan stays', async () => {
    const person = await makePerson({ usage: 25 });
    for (let i = 0; i < 3; i += 1) {
      const response = await upgrade(person.headers, { BILLING: 'none' });
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({
        error: 'Payment integration required. Please contact support for manual upgrade.',
        code: 'payment_required',
      });
    }
    expect(await read(person.headers)).toMatchObject({ plan_type: 'free', monthly_limit: 25 });
  });

  it('upgrades at once with BILLING=demo, and keeps usage and cycle', async () => {
    const person = await makePerson({ usage: 25, now: Date.now() - 3 * DAY_MS });
    const before = await read(person.headers);
    const response = await upgrade(person.headers, { BILLING: 'demo' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      success: true,
      demo: true,
      subscription: { ...before, plan_type: 'premium', monthly_limit: 1000 },
    });
    expect(await (await shorten(person.headers)).json()).toMatchObject({
      usage: { current_usage: 26, monthly_limit: 1000 },
    });
  });

  it('upgrades at the price that the page showed, and at no other', async () => {
    const vars = { BILLING: 'demo', PRICES: 'USD 6/60, EUR 5/50' };
    const person = await makePerson();
    const ask = (json: object) =>
      call('/api/subscription', { headers: person.headers, json }, vars);
    for (const wrong of [
      { currency: 'INR', period: 'month', price: '₹500' },
      { currency: 'INR' },
      { currency: 'EUR', period: 'year', price: '€40' },
      { price: '€5' },
    ]) {
      const response = await ask(wrong);
      expect(response.status, JSON.stringify(wrong)).toBe(409);
      expect(await response.json()).toMatchObject({ error: expect.stringContaining('Reload') });
    }
    for (const invalid of [{ currency: 'GBP' }, { period: 'week' }, { price: '€'.repeat(21) }])
      expect((await ask(invalid)).status, JSON.stringify(invalid)).toBe(400);
    expect(await read(person.headers)).toMatchObject({ plan_type: 'free' });
    const right = { currency: 'EUR', period: 'year', price: '€50' };
    expect((await ask(right)).status).toBe(200);
    expect(await read(person.headers)).toMatchObject({ plan_type: 'premium' });
  });

  it('upgrades only the member who asks', async () => {
    const [person, other] = [await makePerson(), await makePerson()];
    await upgrade(person.headers, { BILLING: 'demo' });
    expect(await read(other.headers)).toMatchObject({ plan_type: 'free', monthly_limit: 25 });
  });

  it('[T17] upgrades nobody without a JSON body', async () => {
    const person = await makePerson();
    const form = {
      method: 'POST',
      body: 'a=1',
      headers: { ...person.headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    };
    expect((await call('/api/subscription', form, { BILLING: 'demo' })).status).toBe(415);
    expect(await read(person.headers)).toMatchObject({ plan_type: 'free' });
  });

  it('[T27] upgrades count against the rate limit of the member', async () => {
    const person = await makePerson();
    const keys: string[] = [];
    const LIMIT_WRITES = {
      limit: ({ key }: { key: string }) => {
        keys.push(key);
        return Promise.resolve({ success: false });
      },
    };
    const response = await upgrade(person.headers, { BILLING: 'demo', LIMIT_WRITES });
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ code: 'rate_limited', upgradeRequired: false });
    expect(keys).toEqual([person.id]);
    expect(await read(person.headers)).toMatchObject({ plan_type: 'free' });
  });
});
