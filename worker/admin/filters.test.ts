import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { DELETED_OWNER } from '#contract/moderation/abuse.ts';
import type {
  AdminStats,
  AdminUrlsResponse,
  AdminUsersResponse,
} from '#contract/moderation/admin.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { abuse_reports, link_holds } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { users } from '#worker/db/schema-users.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { listAdminLinks, listAdminUsers, readAdminStats } from './overview.ts';
import { SCAN_MAX } from './store.ts';

const db = openDb(env.DB);
const now = Date.now();
const GONE = `${DELETED_OWNER}${crypto.randomUUID()}`;
let admin: Person;
let ann: Person;
let paul: Person;
let sue: Person;

const holdOf = (link_id: number, kind: 'owner' | 'blocklist' | 'link') => ({
  link_id,
  kind,
  created_at: 0,
});

beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
  ann = await makePerson();
  paul = await makePerson({ plan: 'premium' });
  sue = await makePerson();
  await db.update(users).set({ suspended_at: now }).where(eq(users.id, sue.id));
  const defaults = {
    target: 'https://example.com/',
    target_host: 'example.com',
    created_at: now,
    updated_at: now,
  };
  const rows = [
    { ...defaults, id: 1, code: 'anns', user_id: ann.id },
    { ...defaults, id: 2, code: 'visitors', user_id: null },
    {
      ...defaults,
      id: 3,
      code: 'own-choice',
      user_id: ann.id,
      status: 'disabled',
      disabled_by: 'owner',
    },
    {
      ...defaults,
      id: 4,
      code: 'blocked',
      user_id: null,
      status: 'disabled',
      disabled_by: 'blocklist',
    },
    { ...defaults, id: 5, code: 'deleted', user_id: paul.id, status: 'deleted' },
    { ...defaults, id: 6, code: 'left', user_id: GONE },
    { ...defaults, id: 7, code: 'anns-before', status: 'deleted', earlier_code_of: 1 },
  ] satisfies (typeof links.$inferInsert)[];
  // Inserts one row at a time, because D1 allows 100 parameters in a statement.
  for (const row of rows) await db.insert(links).values(row);
  await db
    .insert(link_holds)
    .values([holdOf(3, 'owner'), holdOf(4, 'blocklist'), holdOf(4, 'link')]);
});

const get = async <T>(query: string): Promise<T> => {
  const response = await call(`/api/admin?${query}`, { headers: admin.headers });
  expect(response.status).toBe(200);
  return response.json<T>();
};
const usersBy = async (query: string) =>
  (await get<AdminUsersResponse>(`action=users&${query}`)).users.map((row) => row.user_id);
const linksBy = async (query: string) =>
  (await get<AdminUrlsResponse>(`action=urls&${query}`)).urls.map((row) => row.short_code);

describe('filters of users', () => {
  it('filters find users by role, plan and suspension, also with a search', async () => {
    expect(await usersBy('role=admin')).toEqual([admin.id]);
    expect(await usersBy('plan=premium')).toEqual([paul.id]);
    expect(await usersBy('suspended=yes')).toEqual([sue.id]);
    expect(new Set(await usersBy('role=user&plan=free&suspended=no'))).toEqual(new Set([ann.id]));
    expect(await usersBy(`plan=premium&q=${ann.email}`)).toEqual([]);
    expect(await usersBy(`plan=premium&q=${paul.email}`)).toEqual([paul.id]);
  });

  it('filters count a planned downgrade that has come as the free plan', async () => {
    const dora = await makePerson({ plan: 'premium' });
    await env.DB.prepare('update subscriptions set downgrade_at = 1 where user_id = ?')
      .bind(dora.id)
      .run();
    expect(await usersBy('plan=premium')).not.toContain(dora.id);
    expect(await usersBy('plan=free')).toContain(dora.id);
  });

  it('filters find users without a subscription on the free plan', async () => {
    const id = crypto.randomUUID();
    await db.insert(users).values({ id, created_at: 6, last_seen_at: 6 });
    expect(await usersBy('plan=free')).toContain(id);
  });
});

describe('filters of links', () => {
  it('filters find links by status, holds and owner', async () => {
    expect(await linksBy('status=disabled')).toEqual(['blocked', 'own-choice']);
    expect(await linksBy('status=deleted')).toEqual(['deleted']);
    // A link that its owner has disabled is not held.
    expect(await linksBy('held=yes')).toEqual(['blocked']);
    expect(await linksBy('held=no&status=disabled')).toEqual(['own-choice']);
    expect(await linksBy('owner=visitor')).toEqual(['blocked', 'visitors']);
    expect(await linksBy(`owner=${ann.id}`)).toEqual(['own-choice', 'anns']);
    expect(await linksBy(`owner=${GONE}`)).toEqual(['left']);
    expect(await linksBy(`owner=${ann.id}&q=OWN`)).toEqual(['own-choice']);
    expect(await linksBy('q=%20anns-before%20')).toEqual(['anns']);
  });

  it('filtered links name the owner', async () => {
    const { urls } = await get<AdminUrlsResponse>('action=urls');
    const emails = Object.fromEntries(urls.map((row) => [row.short_code, row.user_email]));
    expect(emails).toMatchObject({ anns: ann.email, visitors: '', left: '' });
  });

  it.each(['role=owner', 'plan=gold', 'suspended=1', 'status=held', 'held=', 'owner=ann'])(
    'filters return 400 for %s',
    async (query) => {
      const response = await call(`/api/admin?action=urls&${query}`, { headers: admin.headers });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'invalid_query',
        field: query.split('=')[0],
      });
    },
  );
});

describe('changes over 30 days', () => {
  it('changes count new users, links and reports of the last 30 days and the 30 before', async () => {
    const before = await get<AdminStats>('action=stats');
    const earlierCode = { code: 'made-earlier', earlier_code_of: 1, status: 'deleted' } as const;
    await db.insert(links).values({
      ...earlierCode,
      target: '',
      target_host: '',
      created_at: now - 1,
      updated_at: now,
    });
    for (const days of [1, 29, 31, 59, 61]) {
      const at = now - days * DAY_MS;
      await db.insert(users).values({ id: crypto.randomUUID(), created_at: at, last_seen_at: at });
      await db.insert(links).values({
        code: `made-${days}`,
        target: 'https://example.com/',
        target_host: 'example.com',
        status: days === 1 ? 'deleted' : 'active',
        created_at: at,
        updated_at: at,
      });
      await db.insert(abuse_reports).values({
        link_id: 1,
        reason: 'spam',
        created_at: at,
        status: days === 1 ? 'dismissed' : 'open',
      });
    }
    const after = await get<AdminStats>('action=stats');
    for (const figure of ['new_users', 'new_urls', 'new_reports'] as const) {
      expect([figure, after[figure].now - before[figure].now]).toEqual([figure, 2]);
      expect([figure, after[figure].before - before[figure].before]).toEqual([figure, 2]);
    }
    expect(after.open_reports - before.open_reports).toBe(4);
    expect(after.total_urls - before.total_urls).toBe(4);
  });
});

describe('rows read', () => {
  const COUNT = 2 * SCAN_MAX + 10;
  beforeAll(async () => {
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COUNT})`;
    await env.DB.batch([
      env.DB.prepare(`${numbers} insert into users (id, email, created_at, last_seen_at)
        select 'crowd' || i, 'crowd@example.org', 1000000 + i, 0 from n`),
      env.DB
        .prepare(`${numbers} insert into links (code, target, target_host, user_id, created_at, updated_at)
        select 'crowd' || i, 'https://crowd.example/', 'crowd.example', 'crowd1', 0, 0 from n`),
      env.DB.prepare("update users set role = 'admin' where id = 'crowd7'"),
      env.DB.prepare("update links set target = 'https://rare.example/' where code = 'crowd7'"),
    ]);
  });

  /** Reads every page, and counts the rows that D1 read for it. */
  async function readAll<Page extends { nextCursor: string | null }>(
    list: (d1: D1Database, cursor: string) => Promise<Page>,
  ) {
    const pages: { page: Page; rowsRead: number }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const counted = countRowsRead(env.DB);
      const page: Page = await list(counted.db, cursor);
      pages.push({ page, rowsRead: counted.rowsRead() });
      cursor = page.nextCursor;
    }
    return pages;
  }

  it('a search for a rare user reads a bounded number of rows per page', async () => {
    const pages = await readAll((d1, cursor) =>
      listAdminUsers(openDb(d1), { q: '', role: 'admin' }, cursor, now),
    );
    expect(pages).toHaveLength(3);
    expect(pages.flatMap(({ page }) => page.users.map((row) => row.user_id))).toEqual([
      admin.id,
      'crowd7',
    ]);
    // The rows of the scan, its index entries and the rows of each user.
    for (const { rowsRead } of pages) expect(rowsRead).toBeLessThan(3 * SCAN_MAX);
  });

  it('a search for a rare link reads a bounded number of rows per page', async () => {
    const pages = await readAll((d1, cursor) =>
      listAdminLinks(openDb(d1), { q: 'rare.example' }, cursor),
    );
    expect(pages).toHaveLength(3);
    expect(pages.flatMap(({ page }) => page.urls.map((row) => row.short_code))).toEqual(['crowd7']);
    for (const { rowsRead } of pages) expect(rowsRead).toBeLessThan(2 * SCAN_MAX);
  });

  it('a page without a filter, or for one owner, reads only the rows it shows', async () => {
    const rowsRead = async (list: (d1: D1Database) => Promise<unknown>): Promise<number> => {
      const counted = countRowsRead(env.DB);
      await list(counted.db);
      return counted.rowsRead();
    };
    expect(await rowsRead((d1) => listAdminUsers(openDb(d1), { q: '' }, '', now))).toBeLessThan(
      12 * PAGE_SIZE,
    );
    expect(await rowsRead((d1) => listAdminLinks(openDb(d1), { q: '' }, ''))).toBeLessThan(
      12 * PAGE_SIZE,
    );
    expect(
      await rowsRead((d1) => listAdminLinks(openDb(d1), { q: '', owner: ann.id }, '')),
    ).toBeLessThan(100);
  });

  it('new are those of thirty days, compared with the thirty days before', async () => {
    const later = now + 1_000 * DAY_MS;
    const ages = [30 * DAY_MS, 30 * DAY_MS + 1, 60 * DAY_MS, 60 * DAY_MS + 1];
    for (const [at, age] of ages.entries()) {
      const created_at = later - age;
      const target = 'https://example.com/';
      await db
        .insert(links)
        .values({ code: `age-${at}`, target, target_host: 'x', created_at, updated_at: 1 });
    }
    expect((await readAdminStats(db, later)).new_urls).toEqual({ now: 1, before: 2 });
  });

  it('an imported link is as old as its import', async () => {
    const before = await readAdminStats(db, now);
    await db.insert(links).values({
      code: 'imported',
      target: 'https://example.com/',
      target_host: 'example.com',
      created_at: 1,
      imported_at: now - 5,
      updated_at: now,
    });
    const { new_urls: added, recent_urls: recent } = await readAdminStats(db, now);
    expect(added.now).toBe(before.new_urls.now + 1);
    expect(recent[0]).toMatchObject({
      short_code: 'imported',
      created_at: new Date(now - 5).toISOString(),
    });
  });

  it('the statistics do not read more rows as clicks grow', async () => {
    const rowsRead = async (): Promise<number> => {
      const counted = countRowsRead(env.DB);
      await readAdminStats(openDb(counted.db), now);
      return counted.rowsRead();
    };
    const before = await rowsRead();
    await env.DB.prepare(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      insert into link_days_0 (link_id, day, counts) select 1, i, '[5,0,0,0]' from n`).run();
    expect(await rowsRead()).toBe(before);
    console.log(`rows read by the statistics: ${before} for ${COUNT} users and ${COUNT} links`);
  });
});
