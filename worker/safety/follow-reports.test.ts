import { env } from 'cloudflare:test';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ReportedLink, ReportsResponse } from '#contract/moderation/abuse.ts';
import type { ReportEvidence } from '#contract/moderation/report-evidence.ts';
import { openDb } from '#worker/db/client.ts';
import { abuse_reports, admin_log } from '#worker/db/schema-moderation.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const db = openDb(env.DB);
const EVIL = 'https://evil.example/login';
const GOOD = 'https://wikipedia.example/';
let admin: Person;
let owner: Person;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
  owner = await makePerson({ plan: 'premium' });
});

let serial = 0;
async function create(longUrl = EVIL, customCode = `asked-${(serial += 1)}`): Promise<string> {
  const response = await call('/api/shorten', {
    json: { longUrl, customCode },
    headers: owner.headers,
  });
  expect(response.status).toBe(201);
  return customCode;
}
async function lead(code: string, longUrl: string): Promise<void> {
  const response = await call(`/api/links/${code}`, {
    method: 'PATCH',
    json: { longUrl },
    headers: owner.headers,
  });
  expect(response.status).toBe(200);
  await scheduler.wait(2);
}
async function report(code: string): Promise<number> {
  const headers = { 'CF-Connecting-IP': `198.51.100.${(serial += 1)}` };
  expect((await call('/api/reports', { json: { code, reason: 'phishing' }, headers })).status).toBe(
    201,
  );
  const row = await db.select().from(abuse_reports).orderBy(desc(abuse_reports.id)).get();
  return row?.id ?? 0;
}
const decide = async (id: number, json: object = { status: 'dismissed' }): Promise<number> =>
  (await call(`/api/admin/reports/${id}`, { json, headers: admin.headers })).status;
const evidenceOf = async (id: number): Promise<ReportEvidence> =>
  (await call(`/api/admin/reports/${id}`, { headers: admin.headers })).json();
const statusOf = async (id: number): Promise<string | undefined> =>
  (await db.select().from(abuse_reports).where(eq(abuse_reports.id, id)).get())?.status;
const search = async (q: string): Promise<ReportedLink[]> =>
  (
    await (
      await call(`/api/admin/reports?q=${encodeURIComponent(q)}`, { headers: admin.headers })
    ).json<ReportsResponse>()
  ).reports;
const act = async (action: string, code: string): Promise<void> => {
  const response = await call('/api/links/actions', {
    json: { codes: [code], action },
    headers: owner.headers,
  });
  expect(await response.json()).toMatchObject({ lines: [{ ok: true }] });
};

describe('a report about a link whose owner changes its destination', () => {
  it('[T51] shows the reported destination beside the present one, and is found by it', async () => {
    const code = await create();
    const id = await report(code);
    await lead(code, GOOD);
    for (let at = 0; at < 60; at += 1) await act(at % 2 === 0 ? 'archive' : 'unarchive', code);
    const {
      report: shown,
      destinationChangedAt: changedAt,
      earlierDestinations: earlier,
    } = await evidenceOf(id);
    expect(shown).toMatchObject({
      longUrl: GOOD,
      targetHost: 'wikipedia.example',
      reportedUrl: EVIL,
      reportedHost: 'evil.example',
    });
    expect(earlier).toEqual([{ longUrl: EVIL, until: changedAt }]);
    expect((await search('EVIL.example/log')).map((found) => found.id)).toContain(id);
    expect(await search('no-such-place.example')).toEqual([]);
  });

  it('[T51] a report has the blocklist, other reports and links of the host as evidence', async () => {
    const [code, other, swapped] = [await create(), await create(), await create()];
    const ids = [await report(code), await report(other), await report(swapped)];
    for (const one of [code, swapped]) await lead(one, GOOD);
    await env.DB.prepare(
      "INSERT INTO blocklist (kind, value, created_at) VALUES ('host', 'evil.example', 1)",
    ).run();
    const evidence = await evidenceOf(ids[0] ?? 0);
    await env.DB.prepare('DELETE FROM blocklist').run();
    expect(evidence.blocklist).toMatchObject([{ value: 'evil.example' }]);
    expect(evidence.hostLinks).toBe(1);
    expect(evidence.otherReports.map(({ id }) => id)).toEqual(expect.arrayContaining(ids.slice(1)));
  });

  it('[T51] asks again when the destination comes back after the dismissal', async () => {
    const code = await create();
    const id = await report(code);
    await lead(code, GOOD);
    expect(await decide(id)).toBe(200);
    await lead(code, 'https://another.example/');
    expect(await statusOf(id)).toBe('dismissed');
    await lead(code, EVIL);
    expect(
      await db.select().from(abuse_reports).where(eq(abuse_reports.id, id)).get(),
    ).toMatchObject({
      status: 'open',
      closed_at: null,
      closed_by: null,
    });
    expect(
      await db
        .select()
        .from(admin_log)
        .where(eq(admin_log.subject, `report:${id}`))
        .orderBy(desc(admin_log.id))
        .get(),
    ).toMatchObject({
      admin_id: 'system',
      action: 'decide_report',
      before: '{"status":"dismissed"}',
      after: '{"status":"open"}',
    });
  });

  it.each(['https://evil.example/other?x=1', 'https://www.evil.example/'])(
    '[T51] asks again for %s of the reported host',
    async (url) => {
      const code = await create();
      const id = await report(code);
      await lead(code, GOOD);
      await decide(id);
      await lead(code, url);
      expect(await statusOf(id)).toBe('open');
    },
  );

  it('asks nothing again that was dismissed with the reported destination in view', async () => {
    const code = await create();
    const id = await report(code);
    expect(await decide(id, { status: 'dismissed', destination: EVIL })).toBe(200);
    for (const url of [GOOD, EVIL, 'https://notevil.example/', `${EVIL}?x=1`])
      await lead(code, url);
    expect(await statusOf(id)).toBe('dismissed');
  });

  it('a report asks again once per dismissal, not for a destination that was seen', async () => {
    const code = await create();
    const id = await report(code);
    await lead(code, GOOD);
    await decide(id);
    await lead(code, EVIL);
    expect(await statusOf(id)).toBe('open');
    await decide(id);
    for (const url of [GOOD, EVIL]) await lead(code, url);
    expect(await statusOf(id)).toBe('dismissed');
  });

  it('a report asks nothing again for another page that was seen at the dismissal', async () => {
    const code = await create();
    const id = await report(code);
    await lead(code, `${EVIL}seen`);
    await decide(id, { status: 'dismissed', destination: `${EVIL}seen` });
    for (const url of [GOOD, `${EVIL}seen`]) await lead(code, url);
    expect(await statusOf(id)).toBe('dismissed');
    await lead(code, `${EVIL}unseen`);
    expect(await statusOf(id)).toBe('open');
  });

  it('[T51] asks again when a link comes back that was deleted at the dismissal', async () => {
    const code = await create();
    const id = await report(code);
    await act('delete', code);
    await decide(id);
    await act('restore', code);
    expect(await statusOf(id)).toBe('open');
  });

  it('[T51] asks again when a new link with the code leads there', async () => {
    const code = await create();
    const id = await report(code);
    await act('delete', code);
    await decide(id);
    await create(GOOD, code);
    expect(await statusOf(id)).toBe('dismissed');
    await lead(code, EVIL);
    expect(await statusOf(id)).toBe('open');
    await act('delete', code);
    await decide(id);
    await create(EVIL, code);
    expect(await statusOf(id)).toBe('open');
  });

  it('[T51] asks again when another link of the owner takes the code', async () => {
    const code = await create();
    const id = await report(code);
    await act('delete', code);
    await decide(id);
    const other = await create(EVIL);
    const renamed = await call(`/api/links/${other}`, {
      method: 'PATCH',
      json: { customCode: code },
      headers: owner.headers,
    });
    expect(renamed.status).toBe(200);
    expect(await statusOf(id)).toBe('open');
    expect((await evidenceOf(id)).report).toMatchObject({
      code,
      linkStatus: 'active',
    });
  });

  it('[T51] a report is not dismissed if the destination has changed since it was shown', async () => {
    const code = await create();
    const id = await report(code);
    await lead(code, GOOD);
    expect(await decide(id, { status: 'dismissed', destination: EVIL })).toBe(409);
    expect(await statusOf(id)).toBe('open');
    expect(
      await db
        .select()
        .from(admin_log)
        .where(eq(admin_log.subject, `report:${id}`)),
    ).toEqual([]);
    expect(await decide(id, { status: 'dismissed', destination: GOOD })).toBe(200);
    expect(await statusOf(id)).toBe('dismissed');
  });

  it('[T51] responses tell the owner nothing about a report', async () => {
    const code = await create();
    await report(code);
    const answers: string[] = [];
    for (const action of ['delete', 'restore', 'delete'])
      answers.push(
        await (
          await call('/api/links/actions', {
            json: { codes: [code], action },
            headers: owner.headers,
          })
        ).text(),
      );
    answers.push(
      await (
        await call('/api/shorten', {
          json: { longUrl: GOOD, customCode: code },
          headers: owner.headers,
        })
      ).text(),
      await (await call('/api/my-urls', { headers: owner.headers })).text(),
      await (await call(`/api/links/${code}/history`, { headers: owner.headers })).text(),
    );
    expect(answers.join()).not.toMatch(/report/i);
  });
});
