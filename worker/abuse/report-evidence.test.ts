import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  EVIDENCE_MAX,
  HOST_LINKS_MAX,
  type ReportEvidence,
} from '#contract/moderation/report-evidence.ts';
import { HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { abuse_reports, blocklist } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { users } from '#worker/db/schema-users.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { call } from '#worker/testing/call.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { deliveriesOf, makeEndpoint } from '#worker/testing/webhooks.ts';
import { readReportEvidence } from './report-evidence.ts';

const db = openDb(env.DB);
const AT = Date.UTC(2026, 10, 1);
const ISO = new Date(AT).toISOString();
let admin: Person;
let ann: Person;

const link = (
  id: number,
  code: string,
  host: string,
  over: Partial<typeof links.$inferInsert> = {},
) =>
  ({
    id,
    code,
    target: `https://${host}/login`,
    target_host: host,
    created_at: AT,
    updated_at: AT,
    ...over,
  }) as const;
const reportOn = async (link_id: number, details = ''): Promise<number> => {
  const [row] = await db
    .insert(abuse_reports)
    .values({ link_id, reason: 'phishing', details, created_at: AT })
    .returning();
  return row?.id ?? 0;
};
const read = async (id: number, overrides: Partial<Env> = {}): Promise<ReportEvidence> => {
  const response = await call(`/api/admin/reports/${id}`, { headers: admin.headers }, overrides);
  expect(response.status).toBe(200);
  return response.json();
};
const moderate = (json: unknown) => call('/api/admin/moderation', { json, headers: admin.headers });

beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
  ann = await makePerson();
  // One statement each: D1 allows 100 values in one.
  for (const row of [
    link(1, 'bank', 'login.evil.example', { user_id: ann.id, recheck_at: AT }),
    link(2, 'bank2', 'login.evil.example'),
    link(3, 'other', 'good.example'),
    link(4, 'gone', 'login.evil.example', { status: 'deleted' }),
  ])
    await db.insert(links).values(row);
  await db.insert(link_totals).values({ link_id: 1, human: 12, bot: 99 });
});

describe('GET /api/admin/reports/:id', () => {
  it('returns the report with its link, its owner and what is known about the host', async () => {
    const first = await reportOn(2);
    const other = await reportOn(2, 'The same page.');
    await reportOn(3, 'Something else.');
    const id = await reportOn(1, 'It asks for my password.');
    await db.insert(blocklist).values([
      { kind: 'host', value: 'evil.example', reason: 'Kit', created_at: AT },
      { kind: 'host', value: 'good.example', created_at: AT },
      { kind: 'target', value: 'https://login.evil.example/login', created_at: AT },
    ]);
    const evidence = await read(id);
    expect(evidence).toMatchObject({
      report: {
        id,
        code: 'bank',
        targetHost: 'login.evil.example',
        details: 'It asks for my password.',
        status: 'open',
      },
      closed: null,
      clickCount: 12,
      owner: { id: ann.id, email: ann.email, suspended: false, links: 1 },
      // Excludes the deleted link.
      hostLinks: 2,
      otherReports: [
        {
          id: other,
          code: 'bank2',
          details: 'The same page.',
          status: 'open',
          createdAt: ISO,
        },
        { id: first, code: 'bank2', details: '', status: 'open', createdAt: ISO },
      ],
      reputation: { configured: false, nextCheckAt: ISO },
      decisions: [],
    });
    const listed = evidence.blocklist.map(({ kind, value, reason }) =>
      [kind, value, reason].join(),
    );
    expect(listed.toSorted()).toEqual([
      'host,evil.example,Kit',
      'target,https://login.evil.example/login,',
    ]);
    expect((await read(other)).owner).toBeNull();
    expect(
      (await read(id, { REPUTATION_DOH_URL: 'https://dns.example/' })).reputation.configured,
    ).toBe(true);
  });

  it('lists the destinations of rules and of the end, and which are blocked', async () => {
    const made = await call('/api/shorten', {
      headers: ann.headers,
      json: {
        longUrl: 'https://harmless.example/',
        customCode: 'many-ways',
        fallbackUrl: 'https://after.example/',
        rules: [
          { if: { device: ['ios'] }, to: 'https://after.example/' },
          { if: { country: ['BR'] }, to: 'https://later-evil.example/login' },
        ],
      },
    });
    expect(made.status).toBe(201);
    const [stored] = await db.select().from(links).where(eq(links.code, 'many-ways'));
    const id = await reportOn(stored?.id ?? 0);
    await db
      .insert(blocklist)
      .values({ kind: 'host', value: 'later-evil.example', created_at: AT, applied_at: AT });
    // A host for short links is no entry of the blocklist.
    await makeDomain('after.example');
    const { otherDestinations: others } = await read(id);
    expect(others.toSorted((a, b) => (a.longUrl < b.longUrl ? -1 : 1))).toEqual([
      {
        longUrl: 'https://after.example/',
        conditions: [{ device: ['ios'] }],
        isFallback: true,
        share: null,
        blocked: false,
      },
      {
        longUrl: 'https://later-evil.example/login',
        conditions: [{ country: ['BR'] }],
        isFallback: false,
        share: null,
        blocked: true,
      },
    ]);
  });

  it('lists earlier decisions on link, host, owner and report, newest first', async () => {
    const id = await reportOn(1);
    const reason = 'A copy of a bank.';
    await moderate({ action: 'disable', scope: { kind: 'host', host: 'evil.example' }, reason });
    await moderate({ action: 'enable', scope: { kind: 'host', host: 'evil.example' }, reason });
    await call('/api/admin', {
      json: { action: 'reset_usage', user_id: ann.id },
      headers: admin.headers,
    });
    // This decision is about another link, so it is not listed.
    await moderate({ action: 'disable', scope: { kind: 'link', code: 'other' }, reason });
    await call(`/api/admin/reports/${id}`, {
      json: { status: 'dismissed' },
      headers: admin.headers,
    });
    const { decisions, closed } = await read(id);
    expect(decisions.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      `decide_report report:${id}`,
      `reset_usage user:${ann.id}`,
      'enable_links host:evil.example',
      'disable_links host:evil.example',
    ]);
    expect(decisions[3]).toMatchObject({ adminEmail: admin.email, reason });
    expect(closed).toMatchObject({ byId: admin.id, byEmail: admin.email });
    expect(Date.parse(closed?.at ?? '')).toBeGreaterThan(Date.now() - HOUR_MS);
    const suspend = (at: number | null) =>
      db.update(users).set({ suspended_at: at }).where(eq(users.id, ann.id));
    await suspend(1);
    expect((await read(id)).owner).toMatchObject({ suspended: true });
    await suspend(null);
  });

  it('a report has the preview card of the link until it is removed', async () => {
    const id = await reportOn(3);
    expect((await read(id)).card).toBeNull();
    await env.DB.batch([
      env.DB.prepare('UPDATE links SET card_at = 1 WHERE id = 3'),
      env.DB.prepare("INSERT INTO link_cards VALUES (3, 'Your bank', 'Sign in.', 'a.png')"),
      env.DB.prepare("INSERT INTO link_cards VALUES (4, 'A card', '', 'b.png')"),
    ]);
    for (const name of ['a.png', 'b.png']) await env.BACKUPS.put(`cards/${name}`, '');
    const image = 'http://localhost:8787/api/card-pictures/a.png';
    expect((await read(id)).card).toEqual({ title: 'Your bank', description: 'Sign in.', image });
    await env.DB.exec("INSERT INTO link_cards VALUES (2, 'No picture', '', '')");
    expect((await read(await reportOn(2))).card).toMatchObject({ image: null });
    const { headers } = admin;
    const remove = () => call('/api/admin/cards/other', { method: 'DELETE', headers });
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    const { objects } = await env.BACKUPS.list({ prefix: 'cards/' });
    expect(objects.map(({ key }) => key)).toEqual(['cards/b.png']);
    const after = await read(id);
    expect(after.card).toBeNull();
    expect(after.decisions[0]).toMatchObject({
      action: 'remove_card',
      before: { title: 'Your bank', description: 'Sign in.', image: 'a.png' },
    });
    const version = await env.DB.prepare('SELECT version FROM links WHERE id = 3').first('version');
    const record = decodeEdgeRecord((await env.LINKS.get('other')) ?? '');
    expect([record?.v, record?.k]).toEqual([version, undefined]);
  });

  it('removes a card even if its picture cannot be deleted yet', async () => {
    const endpoint = await makeEndpoint(ann);
    await env.DB.batch([
      env.DB.prepare('UPDATE links SET user_id = ?1 WHERE id = 3').bind(ann.id),
      env.DB.prepare('UPDATE links SET card_at = 1 WHERE id = 3'),
      env.DB.prepare("INSERT INTO link_cards VALUES (3, 'Your bank', 'Sign in.', 'c.png')"),
    ]);
    const BACKUPS = withMethods(env.BACKUPS, {
      delete: () => Promise.reject(new Error('R2 is down.')),
    });
    const init = { method: 'DELETE', headers: admin.headers };
    expect((await call('/api/admin/cards/other', init, { BACKUPS })).status).toBe(200);
    expect((await call('/api/admin/cards/other', init)).status).toBe(404);
    const events = await deliveriesOf(endpoint);
    expect(events.map(({ type, data }) => [type, JSON.parse(data).changed])).toEqual([
      ['link.updated', ['card']],
    ]);
  });

  it('lists decisions on earlier codes and on the reported destination', async () => {
    const target = 'https://moved.example/then';
    await db
      .insert(links)
      .values([
        link(11, 'now', 'present.example', { target_changed_at: AT + 9 }),
        link(12, 'before', 'present.example', { earlier_code_of: 11 }),
      ]);
    const [report] = await db
      .insert(abuse_reports)
      .values({ link_id: 11, reason: 'spam', created_at: AT, target, target_host: 'moved.example' })
      .returning();
    const subjects = [
      'link:now',
      'link:before',
      `blocklist:${target}`,
      'blocklist:https://present.example/login',
      'host:moved.example',
      'host:present.example',
    ];
    for (const subject of [...subjects, 'link:unrelated'])
      await env.DB.prepare(
        `INSERT INTO admin_log (at, admin_id, action, subject) VALUES (?, ?, 'x', ?)`,
      )
        .bind(AT, admin.id, subject)
        .run();
    const { decisions, destinationChangedAt: changedAt } = await read(report?.id ?? 0);
    expect(decisions.map(({ subject }) => subject)).toEqual(subjects.toReversed());
    expect(changedAt).toBe(new Date(AT + 9).toISOString());
  });

  it('lists earlier destinations, the latest first, each until it was left', async () => {
    const imported = { created_at: AT - 9, imported_at: AT };
    await db.insert(links).values([link(21, 'moving', 'c.example', imported)]);
    for (const [at, target] of [
      [AT - 1, 'https://written-into-the-file.example/'],
      [AT + 1, 'https://a.example/'],
      [AT + 2, 'https://b.example/'],
      [AT + 3, 'https://b.example/'],
    ])
      await env.DB.prepare(
        `INSERT INTO link_changes (link_id, at, target, status, title, note, code, tags, archived)
         VALUES (21, ?, ?, 'active', '', '', 'moving', '[]', 0)`,
      )
        .bind(at, target)
        .run();
    const { earlierDestinations: earlier, report } = await read(await reportOn(21));
    expect(report.linkCreatedAt).toBe(ISO);
    expect(earlier).toEqual([
      { longUrl: 'https://b.example/', until: new Date(AT + 3).toISOString() },
      { longUrl: 'https://a.example/', until: new Date(AT + 1).toISOString() },
    ]);
  });

  it('returns 404 for an unknown report', async () => {
    for (const id of ['99999', 'x', '-1'])
      expect((await call(`/api/admin/reports/${id}`, { headers: admin.headers })).status).toBe(404);
  });

  it('reads a bounded number of rows, whatever the number of links and reports', async () => {
    const id = await reportOn(1);
    const many = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${20 * HOST_LINKS_MAX})`;
    await env.DB.batch([
      env.DB.prepare(`${many} insert into links (code, target, target_host, user_id, created_at, updated_at)
        select 'many' || i, 'https://login.evil.example/', 'login.evil.example', ?1, 0, 0 from n`).bind(
        ann.id,
      ),
      env.DB.prepare(
        `${many} insert into abuse_reports (link_id, reason, created_at) select 100000 + i, 'spam', 0 from n`,
      ),
      env.DB.prepare(
        `${many} insert into admin_log (at, admin_id, action, subject) select 0, 'x', 'x', 'post:' || i from n`,
      ),
    ]);
    const counted = countRowsRead(env.DB);
    const evidence = await readReportEvidence(openDb(counted.db), id, {
      checksReputation: false,
      appOrigin: '',
    });
    expect(evidence).toMatchObject({
      hostLinks: HOST_LINKS_MAX,
      owner: { links: HOST_LINKS_MAX },
    });
    expect(evidence?.otherReports.length).toBeLessThanOrEqual(EVIDENCE_MAX);
    expect(counted.rowsRead()).toBeLessThan(8 * HOST_LINKS_MAX);
  });
});
