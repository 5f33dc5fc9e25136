import { env } from 'cloudflare:test';
import { desc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { AdminStats } from '#contract/moderation/admin.ts';
import type { Subscription } from '#contract/plans/plans.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { subscriptions } from '#worker/db/schema-users.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { EMBEDDED, mailsTo, signInEmbedded } from '#worker/testing/sign-in.ts';

const db = openDb(env.DB);
type Caller = Pick<Person, 'id' | 'headers'>;

const downgrade = (who: Caller, when: unknown, over: Partial<Env> = {}) =>
  call('/api/subscription/downgrade', { json: { when }, headers: who.headers }, over);
const keep = (who: Caller, over: Partial<Env> = {}) =>
  call('/api/subscription/downgrade', { method: 'DELETE', headers: who.headers }, over);
const read = async (who: Caller, over: Partial<Env> = {}): Promise<Subscription> =>
  (await call('/api/subscription', { headers: who.headers }, over)).json();
const shorten = (who: Caller) =>
  call('/api/shorten', { json: { longUrl: 'https://example.com' }, headers: who.headers });
const rowOf = (id: string) =>
  db.select().from(subscriptions).where(eq(subscriptions.user_id, id)).get();
const logOf = (id: string) =>
  db
    .select()
    .from(admin_log)
    .where(eq(admin_log.subject, `user:${id}`))
    .orderBy(desc(admin_log.id));
/**
 * A Premium member whose planned downgrade took effect yesterday and whose row is unchanged since.
 */
async function makeOverdue(usage = 300): Promise<Person> {
  const person = await makePerson({ plan: 'premium', usage, now: Date.now() - 40 * DAY_MS });
  await db
    .update(subscriptions)
    .set({ downgrade_at: Date.now() - DAY_MS })
    .where(eq(subscriptions.user_id, person.id));
  return person;
}

describe('POST /api/subscription/downgrade', () => {
  it('puts a member on Free at once and keeps the usage and the cycle', async () => {
    const person = await makePerson({ plan: 'premium', usage: 300 });
    const before = await read(person);
    const response = await downgrade(person, 'now', { BILLING: 'none' });
    expect(response.status).toBe(200);
    const after = { ...before, plan_type: 'free', monthly_limit: 25 };
    expect(await response.json()).toEqual({ success: true, subscription: after });
    expect(await read(person)).toEqual(after);
    expect(await (await shorten(person)).json()).toMatchObject({
      code: 'quota_reached',
      upgradeRequired: true,
    });
  });

  it('plans the downgrade for the end of the cycle, until which Premium lasts', async () => {
    const person = await makePerson({ plan: 'premium', usage: 300 });
    const before = await read(person);
    const response = await downgrade(person, 'cycle_end');
    const after = { ...before, downgrade_at: before.cycle_ends_at };
    expect(await response.json()).toEqual({ success: true, subscription: after });
    expect(await (await shorten(person)).json()).toMatchObject({
      usage: { current_usage: 301, monthly_limit: 1000 },
    });
    const bulk = { json: { longUrls: ['https://example.com'] }, headers: person.headers };
    expect((await call('/api/shorten/bulk', bulk)).status).toBe(201);
  });

  it('the audit log records a downgrade once', async () => {
    const person = await makePerson({ plan: 'premium', usage: 3 });
    const { cycle_ends_at } = await read(person);
    for (let i = 0; i < 3; i += 1) expect((await downgrade(person, 'cycle_end')).status).toBe(200);
    await downgrade(person, 'now');
    const facts = JSON.stringify({
      plan_type: 'premium',
      monthly_limit: 1000,
      current_usage: 3,
      imported_links: 0,
    });
    expect(await logOf(person.id)).toMatchObject([
      {
        action: 'downgrade_plan',
        admin_id: person.id,
        before: facts,
        after: '{"plan_type":"free"}',
      },
      {
        action: 'downgrade_plan',
        admin_id: person.id,
        before: facts,
        after: JSON.stringify({ downgrade_at: cycle_ends_at }),
      },
    ]);
  });

  it('tells the member by email, and waits once ten were sent on a day', async () => {
    const person = await signInEmbedded();
    await call(
      '/api/subscription',
      { json: {}, headers: person.headers },
      { ...EMBEDDED, BILLING: 'demo' },
    );
    await downgrade(person, 'cycle_end', EMBEDDED);
    const { downgrade_at } = await read(person, EMBEDDED);
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(
      Date.parse(downgrade_at ?? ''),
    );
    expect((await mailsTo(person.email))[0]).toMatchObject({
      subject: `Your Hop plan changes to Free on ${day} (UTC)`,
      text: expect.stringContaining(
        'Until then you keep Premium. After that you can create 25 links a month.',
      ),
      link: 'http://localhost:8787/settings/plan',
    });
    for (let i = 0; i < 5; i += 1) {
      await keep(person, EMBEDDED);
      expect((await mailsTo(person.email))[0]).toMatchObject({
        subject: 'You keep Hop Premium',
        link: 'http://localhost:8787/settings',
      });
      expect((await downgrade(person, 'cycle_end', EMBEDDED)).status).toBe(i < 4 ? 200 : 429);
    }
    expect(await mailsTo(person.email)).toHaveLength(10);
    expect(await read(person, EMBEDDED)).toMatchObject({ downgrade_at: null });
  });

  it('tells the member once about a downgrade, and nobody about a refused one', async () => {
    const person = await signInEmbedded();
    expect((await downgrade(person, 'now', EMBEDDED)).status).toBe(409);
    expect(await mailsTo(person.email)).toEqual([]);
    await call(
      '/api/subscription',
      { json: {}, headers: person.headers },
      { ...EMBEDDED, BILLING: 'demo' },
    );
    expect((await keep(person, EMBEDDED)).status).toBe(200);
    expect(await mailsTo(person.email)).toEqual([]);
    for (let i = 0; i < 2; i += 1) await downgrade(person, 'cycle_end', EMBEDDED);
    expect(await mailsTo(person.email)).toHaveLength(1);
  });

  it('an immediate downgrade replaces a planned one', async () => {
    const person = await makePerson({ plan: 'premium' });
    await downgrade(person, 'cycle_end');
    await downgrade(person, 'now');
    expect(await read(person)).toMatchObject({ plan_type: 'free', downgrade_at: null });
    expect(await rowOf(person.id)).toMatchObject({ plan: 'free', downgrade_at: null });
  });

  it('returns 409 on Free and records nothing', async () => {
    for (const person of [await makePerson(), await makeOverdue()])
      for (const when of ['now', 'cycle_end']) {
        const response = await downgrade(person, when);
        expect(response.status).toBe(409);
        expect(await response.json()).toMatchObject({
          code: 'conflict',
          error: 'Your plan is already Free.',
        });
        expect(await logOf(person.id)).toEqual([]);
      }
  });

  it('returns 400 for another time', async () => {
    const person = await makePerson({ plan: 'premium' });
    for (const when of ['tomorrow', '', 1, null, undefined, ['now']]) {
      const response = await downgrade(person, when);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        field: 'when',
        error: expect.stringContaining('“now” or “cycle_end”'),
      });
    }
    expect(await read(person)).toMatchObject({ plan_type: 'premium', downgrade_at: null });
  });

  it('[T27] downgrades count against the rate limit of the member', async () => {
    const person = await makePerson({ plan: 'premium' });
    const keys: string[] = [];
    const LIMIT_WRITES = {
      limit: ({ key }: { key: string }) => {
        keys.push(key);
        return Promise.resolve({ success: false });
      },
    };
    for (const response of [
      await downgrade(person, 'now', { LIMIT_WRITES }),
      await keep(person, { LIMIT_WRITES }),
    ])
      expect(response.status).toBe(429);
    expect(keys).toEqual([person.id, person.id]);
    expect(await read(person)).toMatchObject({ plan_type: 'premium', downgrade_at: null });
  });

  it('changes the plan of no other member', async () => {
    const [person, other] = [
      await makePerson({ plan: 'premium' }),
      await makePerson({ plan: 'premium' }),
    ];
    await downgrade(person, 'cycle_end');
    expect(await read(other)).toMatchObject({ plan_type: 'premium', downgrade_at: null });
    await downgrade(person, 'now');
    expect(await read(other)).toMatchObject({ plan_type: 'premium', downgrade_at: null });
  });
});

describe('DELETE /api/subscription/downgrade', () => {
  it('takes a planned downgrade back, and is recorded once', async () => {
    const person = await makePerson({ plan: 'premium' });
    const before = await read(person);
    await downgrade(person, 'cycle_end');
    for (let i = 0; i < 2; i += 1)
      expect(await (await keep(person)).json()).toEqual({ success: true, subscription: before });
    expect((await logOf(person.id)).map(({ action }) => action)).toEqual([
      'cancel_downgrade',
      'downgrade_plan',
    ]);
  });

  it('[T26] a cancel after the downgrade gives no Premium back', async () => {
    const atOnce = await makePerson({ plan: 'premium' });
    await downgrade(atOnce, 'now');
    for (const person of [atOnce, await makeOverdue(), await makePerson()]) {
      expect((await keep(person)).status).toBe(409);
      expect(await read(person)).toMatchObject({
        plan_type: 'free',
        monthly_limit: 25,
        downgrade_at: null,
      });
    }
  });
});

describe('a planned downgrade', () => {
  it.each([
    [
      'an upgrade',
      (person: Person) =>
        call('/api/subscription', { json: {}, headers: person.headers }, { BILLING: 'demo' }),
    ],
    [
      'an administrator',
      async (person: Person) => {
        const { headers } = await makePerson({ role: 'admin' });
        return call('/api/admin', {
          json: { action: 'update_plan', user_id: person.id, plan_type: 'premium' },
          headers,
        });
      },
    ],
  ])('%s cancels a planned downgrade', async (_who, act) => {
    const person = await makePerson({ plan: 'premium' });
    await downgrade(person, 'cycle_end');
    expect((await act(person)).status).toBe(200);
    expect(await read(person)).toMatchObject({ plan_type: 'premium', downgrade_at: null });
  });

  it('a planned downgrade holds from its time on, before anything is written', async () => {
    const { headers } = await makePerson({ role: 'admin' });
    const stats = async (): Promise<AdminStats> =>
      (await call('/api/admin?action=stats', { headers })).json();
    const before = await stats();
    const person = await makeOverdue();
    expect(await read(person)).toMatchObject({
      plan_type: 'free',
      monthly_limit: 25,
      current_usage: 0,
      downgrade_at: null,
    });
    expect((await stats()).premium_users).toBe(before.premium_users);
    const bulk = { json: { longUrls: ['https://example.com'] }, headers: person.headers };
    expect((await call('/api/shorten/bulk', bulk)).status).toBe(402);
    expect(await rowOf(person.id)).toMatchObject({ plan: 'premium', monthly_limit: 1000 });
  });

  it('[T25] the first of 50 parallel links of a new cycle applies a planned downgrade', async () => {
    const person = await makeOverdue();
    const all = await Promise.all(Array.from({ length: 50 }, () => shorten(person)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(25);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(25);
    expect(await rowOf(person.id)).toMatchObject({
      plan: 'free',
      monthly_limit: 25,
      current_usage: 25,
      downgrade_at: null,
    });
  });

  it('[T25] an immediate downgrade lets no parallel link beyond the free quota through', async () => {
    const person = await makePerson({ plan: 'premium', usage: 20 });
    const [, ...made] = await Promise.all([
      downgrade(person, 'now'),
      ...Array.from({ length: 30 }, () => shorten(person)),
    ]);
    const created = made.filter(({ status }) => status === 201).length;
    const { current_usage, plan_type } = await read(person);
    expect([plan_type, current_usage]).toEqual(['free', 20 + created]);
    if (current_usage >= 25) expect((await shorten(person)).status).toBe(429);
    else
      expect(
        (await Promise.all(Array.from({ length: 10 }, () => shorten(person)))).filter(
          (r) => r.status === 201,
        ),
      ).toHaveLength(5 - created);
  });
});
