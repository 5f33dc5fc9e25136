import { env } from 'cloudflare:test';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AdminUrlsResponse } from '#contract/admin.ts';
import { openDb } from '#worker/db/client.ts';
import { abuse_reports, admin_log, links } from '#worker/db/schema.ts';
import { applyBlocklist } from './apply-blocklist.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const db = openDb(env.DB);
let admin: Person;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
});

let codes = 0;
type Made = { code: string; id: number };
async function makeLink(target: string, over: Partial<typeof links.$inferInsert> = {}): Promise<Made> {
  codes += 1;
  const url = new URL(target);
  const made = await db
    .insert(links)
    .values({ code: `m${codes}`, target: url.href, target_host: url.hostname, created_at: 1, updated_at: 1, ...over })
    .returning();
  return { code: `m${codes}`, id: made[0]?.id ?? 0 };
}
const row = async (link: Made) => (await db.select().from(links).where(eq(links.id, link.id)).get()) ?? null;
const state = async (link: Made) => {
  const { status, disabled_by: by, disabled_reason: reason } = (await row(link)) ?? {};
  return { status, by, reason };
};
const edgeRecord = async (link: Made) => decodeEdgeRecord((await env.LINKS.get(link.code)) ?? '');
const moderate = async (action: 'disable' | 'enable', scope: Record<string, unknown>, more: Record<string, unknown> = {}) => {
  const response = await call('/api/admin/moderation', {
    json: { action, scope, reason: `Because of ${action}.`, ...more },
    headers: admin.headers,
  });
  return { status: response.status, body: await response.json<{ links?: number; code?: string }>() };
};
const ACTIVE = { status: 'active', by: null, reason: null };
const BY_ADMIN = { status: 'disabled', by: 'admin', reason: 'Because of disable.' };

describe('moderation', () => {
  it('[T2] disables and enables a link in D1, in KV and on the 410 page', async () => {
    const link = await makeLink('https://one.example/');
    expect(await moderate('disable', { kind: 'link', code: link.code })).toEqual({
      status: 200,
      body: { success: true, links: 1 },
    });
    expect(await state(link)).toEqual(BY_ADMIN);
    expect(await edgeRecord(link)).toMatchObject({ v: 2, s: 'd', r: 'Because of disable.' });
    const gone = await call(`/${link.code}`, { headers: { 'Sec-Fetch-Mode': 'navigate' } });
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain('Because of disable.');
    expect((await moderate('enable', { kind: 'link', code: link.code })).body.links).toBe(1);
    expect(await state(link)).toEqual(ACTIVE);
    expect(await edgeRecord(link)).toMatchObject({ v: 3, s: 'a', u: 'https://one.example/' });
    expect((await moderate('disable', { kind: 'link', code: 'unknown' })).status).toBe(404);
  });

  it('[T2] disables a host with its subdomains, but no host that only ends alike', async () => {
    const hit = [await makeLink('https://bad.example/a'), await makeLink('https://deep.sub.bad.example/b')];
    const spared = [await makeLink('https://notbad.example/'), await makeLink('https://bad.example.org/')];
    expect((await moderate('disable', { kind: 'host', host: 'BAD.example.' })).body.links).toBe(2);
    for (const link of hit) expect(await state(link)).toEqual(BY_ADMIN);
    for (const link of spared) expect(await state(link)).toEqual(ACTIVE);
    expect((await moderate('disable', { kind: 'host', host: 'bad.example' })).body.links).toBe(0);
    expect((await moderate('disable', { kind: 'host', host: 'example' })).status).toBe(400);
    expect((await moderate('enable', { kind: 'host', host: 'bad.example' })).body.links).toBe(2);
  });

  it('[T2] disables more links than fit into one batch', { timeout: 30_000 }, async () => {
    const person = await makePerson();
    const rows = JSON.stringify(Array.from({ length: 2300 }, (_, i) => `bulk${i}`));
    await env.DB.prepare(
      `insert into links (code, target, target_host, user_id, created_at, updated_at)
       select value, 'https://bulk.example/', 'bulk.example', ?2, 1, 1 from json_each(?1)`,
    )
      .bind(rows, person.id)
      .run();
    expect((await moderate('disable', { kind: 'user', user_id: person.id })).body.links).toBe(2300);
    const count = (status: string) =>
      env.DB.prepare('select count(*) as n from links where user_id = ? and status = ?').bind(person.id, status).first('n');
    expect(await count('disabled')).toBe(2300);
    expect(
      await env.DB.prepare(
        `select count(*) as n from link_outbox o join links l on l.id = o.link_id and l.version = o.version where l.user_id = ?`,
      )
        .bind(person.id)
        .first('n'),
    ).toBe(2300);
    expect((await moderate('enable', { kind: 'user', user_id: person.id })).body.links).toBe(2300);
    expect(await count('active')).toBe(2300);
  });

  it('lifts only the holds of the same action, in any order', async () => {
    const owner = await makePerson();
    const link = await makeLink('https://many.example/', {
      user_id: owner.id,
      status: 'disabled',
      disabled_by: 'owner',
      disabled_reason: 'Off.',
    });
    const by = {
      link: { kind: 'link', code: link.code },
      user: { kind: 'user', user_id: owner.id },
      host: { kind: 'host', host: 'many.example' },
    };
    await moderate('disable', by.host);
    await moderate('disable', by.user);
    await call('/api/admin/blocklist', { json: { hosts: 'many.example' }, headers: admin.headers });
    await moderate('disable', by.link);
    await moderate('enable', by.host);
    await moderate('enable', by.link);
    expect(await state(link)).toEqual(BY_ADMIN);
    const urls = await (
      await call(`/api/admin?action=urls&q=${link.code}`, { headers: admin.headers })
    ).json<AdminUrlsResponse>();
    expect(urls.urls.find((item) => item.short_code === link.code)?.holds).toEqual([
      { kind: 'blocklist', value: 'many.example', reason: expect.stringContaining('blocklist of harmful') },
      { kind: 'user', value: '', reason: 'Because of disable.' },
      { kind: 'owner', value: '', reason: 'Off.' },
    ]);
    expect((await moderate('enable', by.user)).body.links).toBe(0);
    expect(await state(link)).toMatchObject({ status: 'disabled', by: 'blocklist' });
    await call('/api/admin/blocklist/many.example', { method: 'DELETE', headers: admin.headers });
    expect(await state(link)).toEqual({ status: 'disabled', by: 'owner', reason: 'Off.' });
    await db.update(links).set({ status: 'active', disabled_by: null }).where(eq(links.id, link.id));
    await moderate('disable', by.link);
    await moderate('enable', by.link);
    expect(await state(link)).toEqual(ACTIVE);
  });

  it('leaves a deleted link deleted', async () => {
    const link = await makeLink('https://gone.example/', { status: 'deleted' });
    await moderate('disable', { kind: 'host', host: 'gone.example' });
    await moderate('enable', { kind: 'host', host: 'gone.example' });
    expect(await row(link)).toMatchObject({ status: 'deleted', version: 1 });
  });

  it('records the action and closes every open report about the link', async () => {
    const link = await makeLink('https://logged.example/');
    const report = { link_id: link.id, reason: 'spam', created_at: 1 };
    const made = await db.insert(abuse_reports).values([report, report]).returning();
    await moderate('disable', { kind: 'host', host: 'logged.example' }, { reportId: made[0]?.id });
    expect(await db.select().from(admin_log).orderBy(desc(admin_log.id)).get()).toMatchObject({
      admin_id: admin.id,
      action: 'disable_links',
      subject: 'host:logged.example',
      after: '{"links":1}',
      reason: 'Because of disable.',
    });
    const statuses = await db.select({ s: abuse_reports.status }).from(abuse_reports).where(eq(abuse_reports.link_id, link.id));
    expect(statuses).toEqual([{ s: 'acted' }, { s: 'acted' }]);
  });

  it('requires an administrator and a reason', async () => {
    const scope = { kind: 'link', code: 'x' };
    const person = await makePerson();
    expect(
      (await call('/api/admin/moderation', { json: { action: 'disable', scope, reason: 'x' }, headers: person.headers })).status,
    ).toBe(403);
    expect((await moderate('disable', scope, { reason: ' ' })).status).toBe(400);
  });
});

describe('blocklist', () => {
  const add = (hosts: string) => call('/api/admin/blocklist', { json: { hosts, reason: 'From a test' }, headers: admin.headers });
  const shorten = (longUrl: string) =>
    call('/api/shorten', { json: { longUrl }, headers: { 'CF-Connecting-IP': `198.51.100.${++codes % 250}` } });

  it('[T1] rejects listed hosts in every spelling and accepts others', async () => {
    expect(await (await add('evil.test-host.com\nbücher.evil.org\nhttps://page.example.com/only/this')).json()).toMatchObject({
      added: 3,
      refused: [],
    });
    for (const url of [
      'https://evil.test-host.com/',
      'http://EVIL.test-host.com./deep/path?q',
      'https://a.b.evil.test-host.com:8443/',
      'https://bücher.evil.org/',
      'https://xn--bcher-kva.evil.org',
      'https://page.example.com/only/this',
    ])
      expect({ url, status: (await shorten(url)).status }).toEqual({ url, status: 400 });
    for (const url of ['https://test-host.com/', 'https://notevil.test-host.com/', 'https://page.example.com/only/that'])
      expect({ url, status: (await shorten(url)).status }).toEqual({ url, status: 201 });
  });

  it('[T1] disables existing links of a new entry and releases them on removal', async () => {
    const caught = [
      await makeLink('https://turned.example/x'),
      await makeLink('https://cdn.turned.example/y'),
      await makeLink('https://exact.example/page'),
    ];
    const spared = await makeLink('https://exact.example/other');
    await env.DB.prepare(
      `insert into blocklist (kind, value, created_at) values ('host', 'turned.example', 1), ('target', 'https://exact.example/page', 1)`,
    ).run();
    await applyBlocklist(env, Date.now());
    for (const link of caught) {
      expect(await state(link)).toMatchObject({
        status: 'disabled',
        by: 'blocklist',
        reason: expect.stringContaining('blocklist of harmful'),
      });
      expect(await edgeRecord(link)).toMatchObject({ s: 'd' });
    }
    expect(await state(spared)).toEqual(ACTIVE);
    const versions = await Promise.all(caught.map(async (link) => (await row(link))?.version));
    await applyBlocklist(env, Date.now());
    expect(await Promise.all(caught.map(async (link) => (await row(link))?.version))).toEqual(versions);
    for (const value of ['turned.example', 'https://exact.example/page']) {
      const response = await call(`/api/admin/blocklist/${encodeURIComponent(value)}`, {
        method: 'DELETE',
        headers: admin.headers,
      });
      expect({ value, status: response.status }).toEqual({ value, status: 200 });
    }
    for (const link of caught) expect(await state(link)).toEqual(ACTIVE);
    expect((await call('/api/admin/blocklist/turned.example', { method: 'DELETE', headers: admin.headers })).status).toBe(404);
  });

  it('releases a link with two entries only when both are removed', async () => {
    const link = await makeLink('https://x.twice.example/');
    await add('twice.example\nx.twice.example');
    await call('/api/admin/blocklist/twice.example', { method: 'DELETE', headers: admin.headers });
    expect(await state(link)).toMatchObject({ status: 'disabled' });
    await call('/api/admin/blocklist/x.twice.example', { method: 'DELETE', headers: admin.headers });
    expect(await state(link)).toEqual(ACTIVE);
  });

  it('applies an entry again until links created at the same time are stored', async () => {
    const now = Date.now();
    await env.DB.prepare(`insert into blocklist (kind, value, created_at) values ('host', 'slip.example', ?)`).bind(now).run();
    await applyBlocklist(env, now);
    const late = await makeLink('https://slip.example/');
    await applyBlocklist(env, now + 60_000);
    expect(await state(late)).toMatchObject({ status: 'disabled', by: 'blocklist' });
    expect(await env.DB.prepare(`select applied_at from blocklist where value = 'slip.example'`).first('applied_at')).toBe(
      now + 60_000,
    );
  });

  it('applies thousands of entries to thousands of links in one run', { timeout: 30_000 }, async () => {
    const n = Array.from({ length: 3000 }, (_, i) => i);
    await env.DB.prepare(
      `insert into blocklist (kind, value, created_at) select 'host', 'h' || value || '.mass.example', 1 from json_each(?)`,
    )
      .bind(JSON.stringify(n))
      .run();
    await env.DB.prepare(
      `insert into links (code, target, target_host, created_at, updated_at)
       select 'mass' || value, 'https://h' || value || '.mass.example/', 'h' || value || '.mass.example', 1, 1 from json_each(?)`,
    )
      .bind(JSON.stringify(n))
      .run();
    expect(await applyBlocklist(env, Date.now())).toMatch(/^3000 disabled/);
    expect(await env.DB.prepare(`select count(*) as n from blocklist where applied_at = 0 and created_at = 1`).first('n')).toBe(
      0,
    );
  });

  it('searches and pages the list, and records an import', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const response: Response = await call(`/api/admin/blocklist?q=mass.example&cursor=${cursor}`, { headers: admin.headers });
      const page: { entries: { value: string }[]; next_cursor: string | null } = await response.json();
      seen.push(...page.entries.map((entry) => entry.value));
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(3000);
    await add('fresh.example\nevil.test-host.com');
    expect(await db.select().from(admin_log).orderBy(desc(admin_log.id)).get()).toMatchObject({
      action: 'import_blocklist',
      after: '{"added":1,"first":["fresh.example","evil.test-host.com"]}',
    });
    expect(await (await add('fresh.example\nlocalhost')).json()).toMatchObject({
      added: 0,
      refused: [{ line: 2, text: 'localhost' }],
    });
  });
});
