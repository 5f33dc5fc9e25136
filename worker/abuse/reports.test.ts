import { env } from 'cloudflare:test';
import { desc, eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ReportsResponse } from '#contract/abuse.ts';
import { openDb } from '#worker/db/client.ts';
import { abuse_reports, admin_log, links } from '#worker/db/schema.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { REPORTS, takeReport } from './report-allowance.ts';
import { inOneMinute } from '#worker/testing/minute.ts';
import { newNetwork } from '#worker/testing/visitor.ts';

const db = openDb(env.DB);
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
  (await call(`/api/admin/reports?status=${status}`, { headers: admin.headers })).json<ReportsResponse>();

describe('sending', () => {
  test('a known and an unknown code get the same answer; only the known one is kept', async () => {
    const known = await report({ code: 'reported', details: '<img src=x onerror=alert(1)>' });
    const unknown = await report({ code: 'no-such-code' });
    expect([known.status, unknown.status]).toEqual([201, 201]);
    expect(await known.text()).toBe(await unknown.text());
    expect(await db.select().from(abuse_reports)).toMatchObject([{ link_id: id, details: '<img src=x onerror=alert(1)>' }]);
  });

  test('the code may come as people paste it', async () => {
    const before = await count();
    for (const code of [' reported ', 'reported+', 'https://hop.example/reported', 'hop.example/reported+?x=1#y'])
      await report({ code });
    expect(await count()).toBe(before + 4);
  });

  test('malformed reports are refused', async () => {
    for (const json of [{}, { code: '' }, { code: 'reported', reason: 'bored' }, { code: 'reported', details: 'x'.repeat(2001) }])
      expect((await report(json)).status).toBe(400);
  });

  test('a network has a daily allowance, exactly counted under parallel use', async () => {
    const now = Date.now();
    const take = (network: string, at = now) => takeReport(db, { network, site: '' }, 'secret', at);
    const takes = await Promise.all(Array.from({ length: REPORTS.perNetwork + 10 }, () => take('192.0.2.1')));
    expect(takes.filter((taken) => taken)).toHaveLength(REPORTS.perNetwork);
    expect(await take('192.0.2.1', now + 86_400_000)).toBe(true);
    expect(await take('192.0.2.2')).toBe(true);
    expect(JSON.stringify((await env.DB.prepare('select key from counters').all()).results)).not.toContain('192.0.2');
  });

  test('over the allowance: 429 without an upgrade, and a burst is stopped by the shield', { timeout: 60_000 }, async () => {
    await inOneMinute(async () => {
      const headers = { 'CF-Connecting-IP': newNetwork() };
      const answers: number[] = [];
      for (let i = 0; i < 14; i++)
        answers.push((await call('/api/reports', { json: { code: 'reported', reason: 'spam' }, headers })).status);
      expect(answers.filter((status) => status === 201).length).toBeLessThanOrEqual(10);
      expect(answers.at(-1)).toBe(429);
    });
  });
});

describe('Turnstile', () => {
  const keys = { TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET_KEY: 'turnstile-secret' };

  test('with its keys set, a report needs a token that Turnstile confirms', async () => {
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
    expect(asked).toEqual(['secret=turnstile-secret&response=bad', 'secret=turnstile-secret&response=good']);
  });

  test('unreachable, it refuses: 503, nothing kept', async () => {
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

describe('the queue', () => {
  test('shows the evidence, newest first, to administrators', async () => {
    const person = await makePerson();
    expect((await call('/api/admin/reports', { headers: person.headers })).status).toBe(403);
    await report({ code: 'reported', reason: 'malware', details: 'It downloads a file.' });
    const { reports } = await queue();
    expect(reports[0]).toMatchObject({
      short_code: 'reported',
      long_url: 'https://reported.example/',
      target_host: 'reported.example',
      link_status: 'active',
      disabled_reason: null,
      holds: [],
      owner_id: null,
      reason: 'malware',
      details: 'It downloads a file.',
      status: 'open',
    });
    expect(reports[0]?.open_reports).toBe(reports.length);
  });

  test('a report is dismissed and reopened, both in the log', async () => {
    const first = (await queue()).reports[0]?.id ?? 0;
    const decide = (target: number | string, status: string) =>
      call(`/api/admin/reports/${target}`, { json: { status }, headers: admin.headers });
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
    expect(await db.select().from(abuse_reports).where(eq(abuse_reports.id, first)).get()).toMatchObject({
      status: 'open',
      closed_at: null,
      closed_by: null,
    });
    expect((await decide(first, 'acted')).status).toBe(400);
    for (const unknown of [99_999, 'x', '-1']) expect((await decide(unknown, 'dismissed')).status).toBe(404);
  });

  test('one link cannot fill the queue', async () => {
    await db.insert(abuse_reports).values(Array.from({ length: 10 }, () => ({ link_id: id, reason: 'spam', created_at: 1 })));
    for (let i = 0; i < 60; i++) await report({ code: 'reported' });
    const open = await db.select().from(abuse_reports).where(eq(abuse_reports.status, 'open'));
    expect(open).toHaveLength(50);
  });
});
