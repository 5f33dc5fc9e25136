import { env } from 'cloudflare:test';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { PAGE_SIZE } from '#contract/limits.ts';
import type {
  AdminLogResponse,
  AdminStats,
  AdminUrlsResponse,
  AdminUsersResponse,
} from '#contract/moderation/admin.ts';
import { openDb } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, makeToken, type Person } from '#worker/testing/make.ts';

const db = openDb(env.DB);
let admin: Person;
let ann: Person;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
  ann = await makePerson({ usage: 7 });
  await makePerson({ plan: 'premium' });
});

const read = async <T>(query: string): Promise<T> => {
  const response = await call(`/api/admin?${query}`, { headers: admin.headers });
  expect(response.status).toBe(200);
  return response.json<T>();
};
const act = (json: unknown, who = admin) => call('/api/admin', { json, headers: who.headers });
const lastEntry = () => db.select().from(admin_log).orderBy(desc(admin_log.id)).get();
const planOf = (id: string) =>
  db.select().from(subscriptions).where(eq(subscriptions.user_id, id)).get();

let codes = 0;
async function makeLink(over: Partial<typeof links.$inferInsert> = {}): Promise<string> {
  codes += 1;
  const code = `code${codes}`;
  const row = {
    code,
    target: `https://example.com/${codes}`,
    target_host: 'example.com',
    created_at: 1000 + codes,
    updated_at: 0,
  };
  await db.insert(links).values({ ...row, ...over });
  return code;
}

describe('access to /api/admin', () => {
  it('returns 401 to visitors and 403 to members, whatever x-user-id says', async () => {
    for (const path of [
      '/api/admin?action=stats',
      '/api/admin?action=users',
      '/api/admin?action=urls',
      '/api/admin?action=log',
    ]) {
      expect((await call(path)).status).toBe(401);
      expect(
        (
          await call(path, {
            headers: { ...ann.headers, 'x-user-id': admin.id, 'x-user-email': admin.email },
          })
        ).status,
      ).toBe(403);
    }
    const before = await planOf(ann.id);
    expect(
      (await act({ action: 'update_plan', user_id: ann.id, plan_type: 'premium' }, ann)).status,
    ).toBe(403);
    expect(await planOf(ann.id)).toEqual(before);
  });

  it('ignores roles in token metadata, and applies a demotion at once', async () => {
    const id = crypto.randomUUID();
    const token = await makeToken({
      sub: id,
      email: 'x@example.com',
      user_metadata: { role: 'admin' },
      app_metadata: { role: 'admin' },
    });
    expect(
      (await call('/api/admin?action=stats', { headers: { Authorization: `Bearer ${token}` } }))
        .status,
    ).toBe(403);
    const other = await makePerson({ role: 'admin' });
    expect((await call('/api/admin?action=stats', { headers: other.headers })).status).toBe(200);
    expect((await act({ action: 'set_role', user_id: other.id, role: 'user' })).status).toBe(200);
    expect((await call('/api/admin?action=stats', { headers: other.headers })).status).toBe(403);
  });
});

describe('GET /api/admin', () => {
  it('counts users by plan and existing links, with the newest links', async () => {
    const before = await read<AdminStats>('action=stats');
    const code = await makeLink({ user_id: ann.id });
    await makeLink({ status: 'deleted' });
    const { id } = (await db
      .select({ id: links.id })
      .from(links)
      .where(eq(links.code, code))
      .get()) ?? { id: 0 };
    await db.insert(link_totals).values({ link_id: id, human: 12, bot: 99 });
    await makePerson({ plan: 'premium' });
    const leaving = await makePerson({ plan: 'premium' });
    const due = { downgrade_at: 1 };
    await db.update(subscriptions).set(due).where(eq(subscriptions.user_id, leaving.id));
    await db.insert(users).values({
      id: crypto.randomUUID(),
      email: 'nosub@example.com',
      created_at: 5,
      last_seen_at: 5,
    });
    const after = await read<AdminStats>('action=stats');
    expect(after.total_users - before.total_users).toBe(3);
    expect(after.premium_users - before.premium_users).toBe(1);
    expect(after.free_users - before.free_users).toBe(2);
    expect(after.total_urls - before.total_urls).toBe(1);
    expect(after.recent_urls[0]).toMatchObject({
      short_code: code,
      domain: null,
      click_count: 12,
      long_url: expect.stringContaining('https://'),
    });
  });

  it('returns a user with plan, usage and the number of links created', async () => {
    await makeLink({ user_id: ann.id, status: 'deleted' });
    const { users: rows } = await read<AdminUsersResponse>(
      `action=users&q=${ann.email.toUpperCase()}`,
    );
    expect(rows).toEqual([
      {
        user_id: ann.id,
        user: { email: ann.email },
        role: 'user',
        last_admin: false,
        suspended: false,
        created_at: expect.stringMatching(/Z$/),
        plan_type: 'free',
        current_usage: 7,
        monthly_limit: 25,
        // One of the two is deleted.
        actual_url_count: 2,
      },
    ]);
  });

  it('shows no usage for a cycle that has ended', async () => {
    const old = await makePerson({ usage: 25, now: Date.now() - 40 * 86_400_000 });
    const { users: rows } = await read<AdminUsersResponse>(`action=users&q=${old.id}`);
    expect(rows[0]).toMatchObject({ current_usage: 0, monthly_limit: 25 });
  });

  it('shows a user without email and subscription as free with 0 of 25', async () => {
    const id = crypto.randomUUID();
    await db.insert(users).values({ id, created_at: 6, last_seen_at: 6 });
    const { users: rows } = await read<AdminUsersResponse>(`action=users&q=${id}`);
    expect(rows[0]).toMatchObject({
      user: null,
      plan_type: 'free',
      current_usage: 0,
      monthly_limit: 25,
    });
  });

  it('pages through users created in the same millisecond without gaps', async () => {
    const many = Array.from({ length: PAGE_SIZE * 2 + 3 }, (_, i) => ({
      id: crypto.randomUUID(),
      email: `crowd${i}@example.org`,
      created_at: 77,
      last_seen_at: 77,
    }));
    for (const row of many) await db.insert(users).values(row);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: AdminUsersResponse = await read(`action=users&q=@EXAMPLE.org&cursor=${cursor}`);
      seen.push(...page.users.map((row) => row.user_id));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(many.length);
    expect(new Set(seen)).toEqual(new Set(many.map((row) => row.id)));
  });

  it('pages through links and the audit log without gap or repetition', async () => {
    const n = PAGE_SIZE * 2 + 3;
    for (let i = 0; i < n; i += 1) {
      await makeLink({ target: `https://paged.example/${i}` });
      await db
        .insert(admin_log)
        .values({ at: i, admin_id: admin.id, action: 'paged', subject: `test:${i}` });
    }
    const targets: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: AdminUrlsResponse = await read(`action=urls&q=paged.example&cursor=${cursor}`);
      targets.push(...page.urls.map((row) => row.long_url));
      cursor = page.nextCursor;
    }
    expect(targets).toEqual(
      Array.from({ length: n }, (_, i) => `https://paged.example/${n - 1 - i}`),
    );
    expect((await read<AdminStats>('action=stats')).recent_urls).toHaveLength(10);
    const subjects: string[] = [];
    // The search reads the action, too.
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: AdminLogResponse = await read(`action=log&q=PAGED&cursor=${cursor}`);
      subjects.push(...page.entries.map((entry) => entry.subject));
      cursor = page.nextCursor;
    }
    expect(subjects).toEqual(Array.from({ length: n }, (_, i) => `test:${n - 1 - i}`));
  });

  it('[T30] searches for wildcards, quotes and long words literally', async () => {
    await makeLink({ target: 'https://example.com/100%25_off?a=%27' });
    for (const q of ['%', '_', "'; drop table users; --", '"', '\\', 'x'.repeat(100)]) {
      const { urls } = await read<AdminUrlsResponse>(`action=urls&q=${encodeURIComponent(q)}`);
      expect(
        urls.every((row) =>
          (row.short_code + row.long_url).toLowerCase().includes(q.toLowerCase()),
        ),
      ).toBe(true);
    }
    expect((await read<AdminUrlsResponse>('action=urls&q=%25_')).urls).toHaveLength(0);
    expect((await read<AdminUrlsResponse>('action=urls&q=25_OFF')).urls).toHaveLength(1);
    expect(
      (await call(`/api/admin?action=urls&q=${'x'.repeat(101)}`, { headers: admin.headers }))
        .status,
    ).toBe(400);
    for (const cursor of ['nonsense', '-1', '1.5', '9'.repeat(40)])
      await read(`action=urls&cursor=${cursor}`);
    expect((await call('/api/admin?action=drop', { headers: admin.headers })).status).toBe(400);
  });
});

describe('POST /api/admin', () => {
  it('changes the plan, keeps the usage and records before and after', async () => {
    expect(
      (await act({ action: 'update_plan', user_id: ann.id, plan_type: 'premium' })).status,
    ).toBe(200);
    expect(await planOf(ann.id)).toMatchObject({
      plan: 'premium',
      monthly_limit: 1000,
      current_usage: 7,
    });
    const { entries } = await read<AdminLogResponse>(`action=log&q=${ann.id}`);
    expect(entries[0]).toMatchObject({
      adminId: admin.id,
      adminEmail: admin.email,
      action: 'update_plan',
      subject: `user:${ann.id}`,
      subjectEmail: ann.email,
      before: { plan_type: 'free', monthly_limit: 25, current_usage: 7 },
      after: { plan_type: 'premium' },
    });
    expect((await act({ action: 'update_plan', user_id: ann.id, plan_type: 'free' })).status).toBe(
      200,
    );
    expect(await planOf(ann.id)).toMatchObject({
      plan: 'free',
      monthly_limit: 25,
      current_usage: 7,
    });
  });

  it('changes the plan of a user without a subscription', async () => {
    const id = crypto.randomUUID();
    await db
      .insert(users)
      .values({ id, email: 'fresh@example.com', created_at: 8, last_seen_at: 8 });
    expect((await act({ action: 'update_plan', user_id: id, plan_type: 'premium' })).status).toBe(
      200,
    );
    expect(await planOf(id)).toMatchObject({
      plan: 'premium',
      monthly_limit: 1000,
      current_usage: 0,
    });
  });

  it('resets the usage and keeps cycle and plan', async () => {
    const before = await planOf(ann.id);
    expect((await act({ action: 'reset_usage', user_id: ann.id })).status).toBe(200);
    expect(await planOf(ann.id)).toEqual({
      ...before,
      current_usage: 0,
      updated_at: (await planOf(ann.id))?.updated_at,
    });
    expect(await lastEntry()).toMatchObject({
      action: 'reset_usage',
      before: expect.stringContaining('"current_usage":7'),
    });
  });

  it('returns 404 for an unknown user and stores nothing', async () => {
    const user_id = crypto.randomUUID();
    const before = await lastEntry();
    expect((await act({ action: 'update_plan', user_id, plan_type: 'premium' })).status).toBe(404);
    expect((await act({ action: 'reset_usage', user_id })).status).toBe(404);
    expect((await act({ action: 'set_role', user_id, role: 'admin' })).status).toBe(404);
    expect(await planOf(user_id)).toBeUndefined();
    expect(await lastEntry()).toEqual(before);
  });

  it('finds entries by both emails and by what was stored, and names only users', async () => {
    const bob = await makePerson();
    await act({ action: 'update_plan', user_id: bob.id, plan_type: 'premium' });
    // A post may be named like a user's id.
    await db
      .insert(admin_log)
      .values({ at: 1, admin_id: 'system', action: 'delete_post', subject: `post:${bob.id}` });
    const find = async (q: string) =>
      (await read<AdminLogResponse>(`action=log&q=${encodeURIComponent(q)}`)).entries;
    expect(await find(bob.email)).toMatchObject([
      { subject: `user:${bob.id}`, subjectEmail: bob.email },
    ]);
    expect(await find(`post:${bob.id}`)).toMatchObject([{ subjectEmail: '', adminEmail: '' }]);
    expect((await find(admin.email)).map(({ subject }) => subject)).toContain(`user:${bob.id}`);
    for (const stored of ['"plan_type":"premium"', '"plan_type":"free"'])
      expect((await find(stored)).map(({ subject }) => subject)).toContain(`user:${bob.id}`);
  });

  it('[T22] two administrators who demote each other at once leave one', async () => {
    const { users: all } = await read<AdminUsersResponse>('action=users');
    expect(all.filter((row) => row.role === 'admin').map((row) => row.user_id)).toEqual([admin.id]);
    expect(all.filter((row) => row.last_admin).map((row) => row.user_id)).toEqual([admin.id]);
    const before = await lastEntry();
    const refused = await act({ action: 'set_role', user_id: admin.id, role: 'user' });
    expect(refused.status).toBe(409);
    expect(await lastEntry()).toEqual(before);
    const second = await makePerson({ role: 'admin' });
    expect(
      (await read<AdminUsersResponse>('action=users')).users.filter((row) => row.last_admin),
    ).toEqual([]);
    const both = await Promise.all([
      act({ action: 'set_role', user_id: second.id, role: 'user' }),
      act({ action: 'set_role', user_id: admin.id, role: 'user' }, second),
    ]);
    expect(both.filter((response) => response.status === 200)).toHaveLength(1);
    expect(await db.select().from(users).where(eq(users.role, 'admin'))).toHaveLength(1);
    await db.update(users).set({ role: 'admin' }).where(eq(users.id, admin.id));
  });

  it('[T22] stores neither the change nor the audit entry if one fails', async () => {
    await env.DB.prepare(
      `create trigger no_log before insert on admin_log begin select raise(abort, 'no log today'); end`,
    ).run();
    const response = await act({ action: 'update_plan', user_id: ann.id, plan_type: 'premium' });
    await env.DB.prepare('drop trigger no_log').run();
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(await planOf(ann.id)).toMatchObject({ plan: 'free' });
  });

  it('returns 400 for malformed actions', async () => {
    for (const json of [
      {},
      { action: 'delete_all' },
      { action: 'update_plan', user_id: 'x', plan_type: 'free' },
      { action: 'update_plan', user_id: ann.id, plan_type: 'gold' },
      [],
    ])
      expect((await act(json)).status).toBe(400);
  });
});
