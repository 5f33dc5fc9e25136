import { env } from 'cloudflare:test';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AdminUrlsResponse } from '#contract/moderation/admin.ts';
import { linkKey } from '#contract/codes/domain-key.ts';
import { openDb } from '#worker/db/client.ts';
import { abuse_reports, admin_log, link_holds } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
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
async function makeLink(
  target: string,
  over: Partial<typeof links.$inferInsert> = {},
): Promise<Made> {
  codes += 1;
  const url = new URL(target);
  const created = await db
    .insert(links)
    .values({
      code: `m${codes}`,
      target: url.href,
      target_host: url.hostname,
      created_at: 1,
      updated_at: 1,
      ...over,
    })
    .returning();
  return { code: `m${codes}`, id: created[0]?.id ?? 0 };
}
const row = async (link: Made) =>
  (await db.select().from(links).where(eq(links.id, link.id)).get()) ?? null;
const state = async (link: Made) => {
  const { status, disabled_by: by, disabled_reason: reason } = (await row(link)) ?? {};
  return { status, by, reason };
};
const edgeRecord = async (link: Made) => decodeEdgeRecord((await env.LINKS.get(link.code)) ?? '');
const moderate = async (
  action: 'disable' | 'enable',
  scope: Record<string, unknown>,
  more: Record<string, unknown> = {},
) => {
  const response = await call('/api/admin/moderation', {
    json: { action, scope, reason: `Because of ${action}.`, ...more },
    headers: admin.headers,
  });
  return {
    status: response.status,
    body: await response.json<{ links?: number; code?: string }>(),
  };
};
const ACTIVE = { status: 'active', by: null, reason: null };
const BY_ADMIN = { status: 'disabled', by: 'admin', reason: 'Because of disable.' };

describe('moderation', () => {
  it('shows at once in this data center that a previewed link is disabled', async () => {
    const { code } = await makeLink('https://previewed.example/');
    const preview = async () => (await call(`/${code}+`)).status;
    expect(await preview()).toBe(200);
    await moderate('disable', { kind: 'link', code });
    expect(await preview()).toBe(410);
  });

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
    const hit = [
      await makeLink('https://bad.example/a'),
      await makeLink('https://deep.sub.bad.example/b'),
    ];
    const spared = [
      await makeLink('https://notbad.example/'),
      await makeLink('https://bad.example.org/'),
    ];
    expect((await moderate('disable', { kind: 'host', host: 'BAD.example.' })).body.links).toBe(2);
    for (const link of hit) expect(await state(link)).toEqual(BY_ADMIN);
    for (const link of spared) expect(await state(link)).toEqual(ACTIVE);
    expect((await moderate('disable', { kind: 'host', host: 'bad.example' })).body.links).toBe(0);
    expect((await moderate('disable', { kind: 'host', host: 'example' })).status).toBe(400);
    expect((await moderate('enable', { kind: 'host', host: 'bad.example' })).body.links).toBe(2);
  });

  it('[T2] disables more links than fit into one batch', async () => {
    const person = await makePerson();
    const rows = JSON.stringify(Array.from({ length: 1001 }, (_, i) => `bulk${i}`));
    await env.DB.prepare(
      `insert into links (code, target, target_host, user_id, created_at, updated_at)
       select value, 'https://bulk.example/', 'bulk.example', ?2, 1, 1 from json_each(?1)`,
    )
      .bind(rows, person.id)
      .run();
    expect((await moderate('disable', { kind: 'user', userId: person.id })).body.links).toBe(1001);
    const count = (status: string) =>
      env.DB.prepare('select count(*) as n from links where user_id = ? and status = ?')
        .bind(person.id, status)
        .first('n');
    expect(await count('disabled')).toBe(1001);
    expect(
      await env.DB.prepare(
        `select count(*) as n from link_outbox o join links l on l.id = o.link_id and l.version = o.version where l.user_id = ?`,
      )
        .bind(person.id)
        .first('n'),
    ).toBe(1001);
    const entries = await db
      .select()
      .from(admin_log)
      .where(eq(admin_log.subject, `user:${person.id}`));
    expect(entries).toHaveLength(1);
    expect((await moderate('enable', { kind: 'user', userId: person.id })).body.links).toBe(1001);
    expect(await count('active')).toBe(1001);
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
      user: { kind: 'user', userId: owner.id },
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
      {
        kind: 'blocklist',
        value: 'many.example',
        reason: expect.stringContaining('blocklist of harmful'),
      },
      { kind: 'user', value: '', reason: 'Because of disable.' },
      { kind: 'owner', value: '', reason: 'Off.' },
    ]);
    expect((await moderate('enable', by.user)).body.links).toBe(0);
    expect(await state(link)).toMatchObject({ status: 'disabled', by: 'blocklist' });
    await call('/api/admin/blocklist/many.example', { method: 'DELETE', headers: admin.headers });
    expect(await state(link)).toEqual({ status: 'disabled', by: 'owner', reason: 'Off.' });
    await db
      .update(links)
      .set({ status: 'active', disabled_by: null })
      .where(eq(links.id, link.id));
    await moderate('disable', by.link);
    await moderate('disable', by.host);
    await moderate('enable', by.link);
    await moderate('enable', by.host);
    expect(await state(link)).toEqual(ACTIVE);
  });

  it('disables the link of our host only, not one of another host with the same code', async () => {
    const link = await makeLink('https://twin.example/');
    const twin = await db
      .insert(links)
      .values({
        code: linkKey('d.customer99', link.code),
        target: 'https://twin.example/',
        target_host: 'twin.example',
        created_at: 1,
        updated_at: 1,
      })
      .returning();
    expect((await moderate('disable', { kind: 'link', code: link.code })).body.links).toBe(1);
    expect(await state(link)).toEqual(BY_ADMIN);
    expect(await state({ code: link.code, id: twin[0]?.id ?? 0 })).toEqual(ACTIVE);
  });

  it('returns 404 for a deleted link', async () => {
    const link = await makeLink('https://gone.example/', { status: 'deleted' });
    expect((await moderate('disable', { kind: 'link', code: link.code })).status).toBe(404);
  });

  it('names the hold with the highest precedence as the reason', async () => {
    const link = await makeLink('https://precedence.example/');
    const holds = (['owner', 'reputation', 'blocklist', 'host', 'user', 'link'] as const).map(
      (kind) => ({ kind, value: kind }),
    );
    for (const [i, { kind, value }] of holds.entries()) {
      await db
        .insert(link_holds)
        .values({ link_id: link.id, kind, value, reason: kind, created_at: i });
      // Any change of the link's holds derives its state again.
      await moderate('disable', { kind: 'host', host: 'precedence.example' });
      await moderate('enable', { kind: 'host', host: 'precedence.example' });
      if (kind !== 'owner') expect((await row(link))?.disabled_reason).toBe(kind);
    }
  });

  it('enabling a link lifts its reputation hold, too, and counts it once', async () => {
    const link = await makeLink('https://rated.example/');
    const by = { kind: 'link', code: link.code };
    const hold = { link_id: link.id, reason: '', created_at: 1 };
    await moderate('disable', by);
    await db.insert(link_holds).values([
      { ...hold, kind: 'reputation', value: '' },
      { ...hold, kind: 'blocklist', value: 'rated.example' },
    ]);
    expect((await moderate('enable', by)).body.links).toBe(0);
    expect(await state(link)).toEqual({ status: 'disabled', by: 'blocklist', reason: null });
    expect(await db.select().from(admin_log).orderBy(desc(admin_log.id)).get()).toMatchObject({
      action: 'enable_links',
      subject: `link:${link.code}`,
      after: '{"links":1}',
    });
  });

  it('moderation leaves a deleted link deleted', async () => {
    const link = await makeLink('https://gone.example/', { status: 'deleted' });
    await moderate('disable', { kind: 'host', host: 'gone.example' });
    await moderate('enable', { kind: 'host', host: 'gone.example' });
    expect(await row(link)).toMatchObject({ status: 'deleted', version: 1 });
  });

  it('records the action and closes every open report about the link', async () => {
    const link = await makeLink('https://logged.example/');
    await makeLink('https://logged.example/before', { status: 'deleted' });
    const report = { link_id: link.id, reason: 'spam', created_at: 1 };
    const created = await db.insert(abuse_reports).values([report, report]).returning();
    await moderate(
      'disable',
      { kind: 'host', host: 'logged.example' },
      { reportId: created[0]?.id },
    );
    expect(await db.select().from(admin_log).orderBy(desc(admin_log.id)).get()).toMatchObject({
      admin_id: admin.id,
      action: 'disable_links',
      subject: 'host:logged.example',
      after: '{"links":1}',
      reason: 'Because of disable.',
    });
    const reportsOf = (id: number) =>
      db.select().from(abuse_reports).where(eq(abuse_reports.link_id, id));
    const acted = { status: 'acted', closed_by: admin.id, closed_at: expect.any(Number) };
    expect(await reportsOf(link.id)).toMatchObject([acted, acted]);
    // A suspension of the owner answers the report, too.
    const owner = await makePerson();
    const owned = await makeLink('https://owned.example/', { user_id: owner.id });
    const [open] = await db
      .insert(abuse_reports)
      .values({ ...report, link_id: owned.id })
      .returning();
    await moderate('disable', { kind: 'user', userId: owner.id }, { reportId: open?.id });
    expect(await reportsOf(owned.id)).toMatchObject([acted]);
  });

  it('requires an administrator and a reason', async () => {
    const scope = { kind: 'link', code: 'x' };
    const person = await makePerson();
    expect(
      (
        await call('/api/admin/moderation', {
          json: { action: 'disable', scope, reason: 'x' },
          headers: person.headers,
        })
      ).status,
    ).toBe(403);
    expect((await moderate('disable', scope, { reason: ' ' })).status).toBe(400);
  });
});
