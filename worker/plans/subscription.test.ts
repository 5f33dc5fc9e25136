import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson, makeToken } from '#worker/testing/make.ts';

const read = async (headers: Record<string, string>): Promise<Record<string, unknown>> =>
  (await call('/api/subscription', { headers })).json();
const upgrade = (headers: Record<string, string>, overrides: Partial<Env> = {}): Promise<Response> =>
  call('/api/subscription', { json: {}, headers }, overrides);
const rowOf = (id: string): Promise<Record<string, unknown> | null> =>
  env.DB.prepare('SELECT * FROM subscriptions WHERE user_id = ?1').bind(id).first();

test('a member without a subscription has the free one, and keeps it', async () => {
  const id = crypto.randomUUID();
  const headers = { Authorization: `Bearer ${await makeToken({ sub: id, email: 'new@example.com' })}` };
  const first = await read(headers);
  expect(first).toMatchObject({ plan_type: 'free', monthly_limit: 25, current_usage: 0 });
  expect(Math.abs(Date.parse(String(first['billing_cycle_start'])) - Date.now())).toBeLessThan(10_000);
  expect(await read(headers)).toEqual(first);
});

test('a cycle that has ended reads as a new one, without being written', async () => {
  const anchor = Date.now() - 40 * DAY_MS;
  const person = await makePerson({ usage: 25, now: anchor });
  const before = await rowOf(person.id);
  const body = await read(person.headers);
  expect(body).toMatchObject({ current_usage: 0, monthly_limit: 25 });
  expect(Date.parse(String(body['billing_cycle_start']))).toBeGreaterThan(anchor);
  expect(Date.parse(String(body['cycle_ends_at']))).toBeGreaterThan(Date.now());
  expect(await rowOf(person.id)).toEqual(before);
});

test('deleting a link gives nothing back', async () => {
  const person = await makePerson({ usage: 3 });
  await call('/api/shorten', { json: { longUrl: 'https://example.com', customCode: 'spent' }, headers: person.headers });
  expect((await call('/api/links/spent', { method: 'DELETE', headers: person.headers })).status).toBe(200);
  expect(await read(person.headers)).toMatchObject({ current_usage: 4 });
});

test('BILLING=none: 402 in the spec’s words, however often it is asked, and the plan stays', async () => {
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

test('BILLING=demo: premium at once, usage kept, and links can be made again', async () => {
  const person = await makePerson({ usage: 25 });
  const response = await upgrade(person.headers, { BILLING: 'demo' });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    success: true,
    demo: true,
    subscription: { plan_type: 'premium', monthly_limit: 1000, current_usage: 25 },
  });
  const made = await call('/api/shorten', { json: { longUrl: 'https://example.com' }, headers: person.headers });
  expect(await made.json()).toMatchObject({ usage: { current_usage: 26, monthly_limit: 1000 } });
});

test('a body that is not JSON upgrades nobody', async () => {
  const person = await makePerson();
  const form = {
    method: 'POST',
    body: 'a=1',
    headers: { ...person.headers, 'Content-Type': 'application/x-www-form-urlencoded' },
  };
  expect((await call('/api/subscription', form, { BILLING: 'demo' })).status).toBe(415);
  expect(await read(person.headers)).toMatchObject({ plan_type: 'free' });
});

test('over the limit after a downgrade: links stay, making waits, the numbers are true (decision 10)', async () => {
  const person = await makePerson({ plan: 'free', usage: 300 });
  expect(await read(person.headers)).toMatchObject({ current_usage: 300, monthly_limit: 25 });
  const refused = await call('/api/shorten', { json: { longUrl: 'https://example.com' }, headers: person.headers });
  expect(await refused.json()).toMatchObject({ code: 'quota_reached', upgradeRequired: true });
});
