import { env } from 'cloudflare:test';
import { desc, eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ReportsResponse } from '#contract/moderation/abuse.ts';
import { openDb } from '#worker/db/client.ts';
import { abuse_reports, admin_log } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { takeReport } from './report-allowance.ts';

const db = openDb(env.DB);
const PER_DAY = 20;
/** Switches off the platform's limit per minute, because these tests are about the limits in D1. */
const UNLIMITED = { LIMIT_VISITOR_LINKS: { limit: () => Promise.resolve({ success: true }) } };
let admin: Person;
let id = 0;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
  const link = {
    code: 'reported',
    target: 'https://reported.example/',
    target_host: 'reported.example',
    created_at: 1,
    updated_at: 1,
  };
  id = (await db.insert(links).values(link).returning())[0]?.id ?? 0;
});
afterEach(() => {
  vi.restoreAllMocks();
});

let networks = 0;
const report = (json: Record<string, unknown>, overrides: Partial<Env> = {}) => {
  networks += 1;
  const headers = { 'CF-Connecting-IP': `203.0.113.${networks}` };
  return call('/api/reports', { json: { reason: 'phishing', ...json }, headers }, overrides);
};
const count = async () => (await db.select().from(abuse_reports)).length;
const queue = async (status = 'open') =>
  (
    await call(`/api/admin/reports?status=${status}`, { headers: admin.headers })
  ).json<ReportsResponse>();

describe('submitReport', () => {
  it('[T15] answers known and unknown codes alike and stores only known ones', async () => {
    const known = await report({ code: 'reported', details: '<img src=x onerror=alert(1)>' });
    const unknown = await report({ code: 'no-such-code' });
    expect([known.status, unknown.status]).toEqual([201, 201]);
    expect(await known.text()).toBe(await unknown.text());
    expect(await db.select().from(abuse_reports)).toMatchObject([
      {
        link_id: id,
        details: '<img src=x onerror=alert(1)>',
        target: 'https://reported.example/',
        target_host: 'reported.example',
      },
    ]);
  });

  it('accepts a code in every form that people paste', async () => {
    const before = await count();
    for (const code of [
      ' reported ',
      'reported+',
      'reported%2B',
      'https://hop.example/reported',
      'hop.example/reported+?x=1#y',
      'localhost:8787/reported',
    ])
      await report({ code });
    expect(await count()).toBe(before + 6);
  });

  it('stores no report about a deleted link', async () => {
    const link = {
      target: '',
      target_host: '',
      status: 'deleted',
      created_at: 1,
      updated_at: 1,
    } as const;
    await db.insert(links).values({ ...link, code: 'deleted-link' });
    const before = await count();
    expect((await report({ code: 'deleted-link' })).status).toBe(201);
    expect(await count()).toBe(before);
  });

  it('returns 400 for malformed reports', async () => {
    for (const json of [
      {},
      { code: '' },
      { code: 'reported', reason: 'bored' },
      { code: 'reported', details: 'x'.repeat(2001) },
    ])
      expect((await report(json)).status).toBe(400);
  });

  it('[T27] counts the daily allowance of a network exactly in parallel', async () => {
    const now = Date.now();
    const take = (network: string, at = now) => takeReport(db, { network, site: '' }, 'secret', at);
    const takes = await Promise.all(Array.from({ length: PER_DAY + 10 }, () => take('192.0.2.1')));
    expect(takes.filter((taken) => taken)).toHaveLength(PER_DAY);
    expect(await take('192.0.2.1', now + 86_400_000)).toBe(true);
    expect(await take('192.0.2.2')).toBe(true);
    expect(
      JSON.stringify((await env.DB.prepare('select key from counters').all()).results),
    ).not.toContain('192.0.2');
  });

  it('returns 429 once the daily allowance of the network is used up', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 5, 1, 18));
    const from = (address: string) =>
      call(
        '/api/reports',
        { json: { code: 'reported', reason: 'spam' }, headers: { 'CF-Connecting-IP': address } },
        UNLIMITED,
      );
    const answers = await Promise.all(Array.from({ length: PER_DAY }, () => from('198.51.100.7')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const before = await count();
    const rejected = await from('198.51.100.7');
    expect(rejected.status).toBe(429);
    expect(await rejected.json()).toMatchObject({ code: 'rate_limited', upgradeRequired: false });
    expect(rejected.headers.get('Retry-After')).toBe(String(6 * 3600));
    expect(await count()).toBe(before);
    expect((await from('198.51.100.8')).status).toBe(201);
  });

  it('returns 429 to a network over the limit per minute and stores nothing', async () => {
    const keys: string[] = [];
    const limiter = {
      limit: ({ key }: { key: string }) => (keys.push(key), Promise.resolve({ success: false })),
    };
    const before = await count();
    const rejected = await report({ code: 'reported' }, { LIMIT_VISITOR_LINKS: limiter });
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '60']);
    expect(await rejected.json()).toMatchObject({ code: 'rate_limited', upgradeRequired: false });
    expect(keys).toEqual([`report:203.0.113.${networks}`]);
    expect(await count()).toBe(before);
  });
});

describe('Turnstile', () => {
  const keys = { TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET_KEY: 'turnstile-secret' };

  it('requires a valid token if its keys are configured', async () => {
    const asked: string[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const body = await new Request(input, init).text();
      asked.push(body);
      return Response.json({ success: body.includes('response=good') });
    });
    const before = await count();
    expect((await report({ code: 'reported' }, keys)).status).toBe(403);
    expect((await report({ code: 'reported', turnstileToken: 'bad' }, keys)).status).toBe(403);
    expect(await count()).toBe(before);
    expect((await report({ code: 'reported', turnstileToken: 'good' }, keys)).status).toBe(201);
    expect(await count()).toBe(before + 1);
    const unused = { ...keys, TURNSTILE_SITE_KEY: '' };
    expect((await report({ code: 'reported' }, unused)).status).toBe(201);
    expect(asked).toEqual([
      'secret=turnstile-secret&response=bad',
      'secret=turnstile-secret&response=good',
    ]);
  });

  it('[T40] returns 503 and stores nothing if Turnstile does not answer', async () => {
    const before = await count();
    for (const answer of [
      () => Promise.reject(new Error('network')),
      () => Promise.resolve(new Response('oops', { status: 500 })),
      () => Promise.resolve(new Response('<html>')),
    ]) {
      vi.spyOn(globalThis, 'fetch').mockImplementation(answer);
      expect((await report({ code: 'reported', turnstileToken: 'good' }, keys)).status).toBe(503);
    }
    expect(await count()).toBe(before);
  });
});

describe('report queue', () => {
  it('shows reports to administrators only, newest first', async () => {
    const person = await makePerson();
    expect((await call('/api/admin/reports', { headers: person.headers })).status).toBe(403);
    await report({ code: 'reported', reason: 'malware', details: 'It downloads a file.' });
    const { reports } = await queue();
    expect(reports[0]).toMatchObject({
      code: 'reported',
      longUrl: 'https://reported.example/',
      targetHost: 'reported.example',
      linkStatus: 'active',
      disabledReason: null,
      holds: [],
      ownerId: null,
      reason: 'malware',
      details: 'It downloads a file.',
      status: 'open',
    });
    expect(reports[0]?.openReports).toBe(reports.length);
  });

  it('pages through reports without gap or repetition', async () => {
    const values = { link_id: id, reason: 'spam', status: 'acted', created_at: 1 } as const;
    const created: number[] = [];
    for (let i = 0; i < 103; i += 1) {
      const [row] = await db.insert(abuse_reports).values(values).returning();
      created.push(row?.id ?? 0);
    }
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const response: Response = await call(`/api/admin/reports?status=acted&cursor=${cursor}`, {
        headers: admin.headers,
      });
      const page: ReportsResponse = await response.json();
      seen.push(...page.reports.map((item) => item.id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(created.toReversed());
    await db.delete(abuse_reports).where(eq(abuse_reports.status, 'acted'));
  });

  it('a search reads codes and destinations, of 5,000 reports for a page', async () => {
    const row = { code: 'sought', created_at: 1, updated_at: 1 };
    const target = { target: 'https://present.example/', target_host: 'present.example' };
    const [link] = await db
      .insert(links)
      .values({ ...row, ...target })
      .returning();
    const linkId = link?.id ?? 0;
    await db.insert(links).values({
      ...row,
      code: 'former',
      target: '',
      target_host: '',
      status: 'deleted',
      earlier_code_of: linkId,
    });
    const [sought] = await db
      .insert(abuse_reports)
      .values({ link_id: linkId, reason: 'spam', created_at: 1, target: 'https://then.example/' })
      .returning();
    const search = async (q: string, cursor = '') => {
      const query = new URLSearchParams({ status: 'open', q, cursor }).toString();
      const response = await call(`/api/admin/reports?${query}`, { headers: admin.headers });
      const { reports, nextCursor } = await response.json<ReportsResponse>();
      return { ids: reports.map((item) => item.id), nextCursor };
    };
    for (const q of ['SOUGHT', 'former', 'then.example', 'present.example'])
      expect((await search(q)).ids, q).toEqual([sought?.id]);
    expect((await search('nowhere')).ids).toEqual([]);
    const addReports = (newer: number) =>
      env.DB.prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO abuse_reports (link_id, reason, status, created_at) SELECT 0, 'spam', 'acted', 1 FROM n`,
      )
        .bind(newer)
        .run();
    await addReports(4_999);
    expect((await search('sought')).ids).toEqual([sought?.id]);
    await addReports(1);
    const { ids, nextCursor } = await search('sought');
    expect(ids).toEqual([]);
    expect((await search('sought', nextCursor ?? '')).ids).toEqual([sought?.id]);
    for (const reported of [0, linkId])
      await db.delete(abuse_reports).where(eq(abuse_reports.link_id, reported));
  });

  it('dismisses and reopens a report, and records both', async () => {
    const first = (await queue()).reports[0]?.id ?? 0;
    const decide = (target: number | string, status: string) =>
      call(`/api/admin/reports/${target}`, { json: { status }, headers: admin.headers });
    const dismissedAs = async () => {
      await decide(first, 'dismissed');
      const row = await db.select().from(abuse_reports).where(eq(abuse_reports.id, first)).get();
      return row?.dismissed_target;
    };
    const setStatus = (value: 'active' | 'deleted') =>
      db.update(links).set({ status: value }).where(eq(links.id, id));
    await setStatus('deleted');
    expect(await dismissedAs()).toBeNull();
    await setStatus('active');
    expect(await dismissedAs()).toBe('https://reported.example/');
    expect((await decide(first, 'open')).status).toBe(200);
    expect((await decide(first, 'dismissed')).status).toBe(200);
    expect((await queue()).reports.map((item) => item.id)).not.toContain(first);
    expect((await queue('dismissed')).reports.map((item) => item.id)).toEqual([first]);
    expect(await db.select().from(admin_log).orderBy(desc(admin_log.id)).get()).toMatchObject({
      action: 'decide_report',
      subject: `report:${first}`,
      before: '{"status":"open"}',
      after: '{"status":"dismissed"}',
    });
    expect((await decide(first, 'open')).status).toBe(200);
    expect(
      await db.select().from(abuse_reports).where(eq(abuse_reports.id, first)).get(),
    ).toMatchObject({
      status: 'open',
      closed_at: null,
      closed_by: null,
      dismissed_target: null,
    });
    // The link leads elsewhere than the administrator saw.
    const json = { status: 'dismissed', destination: 'https://elsewhere.example/' };
    const entries = await db.$count(admin_log);
    const outdated = await call(`/api/admin/reports/${first}`, { json, headers: admin.headers });
    expect([outdated.status, await db.$count(admin_log)]).toEqual([409, entries]);
    const reopen = { json: { ...json, status: 'open' }, headers: admin.headers };
    expect((await call(`/api/admin/reports/${first}`, reopen)).status).toBe(200);
    expect((await queue()).reports.map((item) => item.id)).toContain(first);
    expect((await decide(first, 'acted')).status).toBe(400);
    for (const unknown of [99_999, 'x', '-1'])
      expect((await decide(unknown, 'dismissed')).status).toBe(404);
  });

  it('a dismissed report stays dismissed when another report is answered', async () => {
    const values = { link_id: id, reason: 'spam', created_at: 1 };
    const closed = { ...values, status: 'dismissed', closed_at: 7, closed_by: 'someone' } as const;
    const [dismissed, answered] = await db
      .insert(abuse_reports)
      .values([closed, values])
      .returning();
    await report({ code: 'reported' });
    const action = {
      action: 'disable',
      scope: { kind: 'link', code: 'reported' },
      reason: 'Spam.',
      reportId: answered?.id,
    };
    expect(
      (await call('/api/admin/moderation', { json: action, headers: admin.headers })).status,
    ).toBe(200);
    const after = await db.select().from(abuse_reports).where(eq(abuse_reports.link_id, id));
    expect(after.find((row) => row.id === dismissed?.id)).toEqual(dismissed);
    expect(after.filter(({ status }) => status === 'open')).toEqual([]);
    expect(after.find((row) => row.id === answered?.id)).toMatchObject({
      status: 'acted',
      closed_by: admin.id,
    });
    const lift = { ...action, action: 'enable' };
    expect(
      (await call('/api/admin/moderation', { json: lift, headers: admin.headers })).status,
    ).toBe(200);
    expect(
      (
        await db
          .select()
          .from(abuse_reports)
          .where(eq(abuse_reports.id, dismissed?.id ?? 0))
          .get()
      )?.status,
    ).toBe('dismissed');
  });
});
