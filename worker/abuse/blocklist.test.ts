import { env } from 'cloudflare:test';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BlocklistResponse } from '#contract/moderation/abuse.ts';
import { openDb } from '#worker/db/client.ts';
import { admin_log, link_holds } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { call } from '#worker/testing/call.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { applyBlocklist } from './apply-blocklist.ts';

const db = openDb(env.DB);
let admin: Person;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
});

let codes = 0;
type Made = { code: string; id: number };
async function makeLink(target: string): Promise<Made> {
  const code = `b${(codes += 1)}`;
  const url = new URL(target);
  const created = await db
    .insert(links)
    .values({ code, target: url.href, target_host: url.hostname, created_at: 1, updated_at: 1 })
    .returning();
  return { code, id: created[0]?.id ?? 0 };
}
const row = async (link: Made) =>
  (await db.select().from(links).where(eq(links.id, link.id)).get()) ?? null;
const state = async (link: Made) => {
  const { status, disabled_by: by, disabled_reason: reason } = (await row(link)) ?? {};
  return { status, by, reason };
};
const edgeRecord = async (link: Made) => decodeEdgeRecord((await env.LINKS.get(link.code)) ?? '');
const ACTIVE = { status: 'active', by: null, reason: null };

describe('blocklist', () => {
  const add = (hosts: string) =>
    call('/api/admin/blocklist', {
      json: { hosts, reason: 'From a test' },
      headers: admin.headers,
    });
  const shorten = (longUrl: string) =>
    call('/api/shorten', {
      json: { longUrl },
      headers: { 'CF-Connecting-IP': `198.51.100.${++codes % 250}` },
    });

  it('[T1] rejects listed hosts in every spelling and accepts others', async () => {
    expect(
      await (
        await add('evil.test-host.com\nbücher.evil.org\nhttps://page.example.com/only/this')
      ).json(),
    ).toMatchObject({
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
    for (const url of [
      'https://test-host.com/',
      'https://notevil.test-host.com/',
      'https://page.example.com/only/that',
    ])
      expect({ url, status: (await shorten(url)).status }).toEqual({ url, status: 201 });
  });

  it('[T1] disables existing links of a new entry and releases them on removal', async () => {
    const caught = [
      await makeLink('https://turned.example/x'),
      await makeLink('https://cdn.turned.example/y'),
      await makeLink('https://exact.example/page'),
    ];
    const spared = await makeLink('https://exact.example/other');
    const deleted = await makeLink('https://turned.example/gone');
    await db.update(links).set({ status: 'deleted' }).where(eq(links.id, deleted.id));
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
    expect(await db.$count(link_holds, eq(link_holds.link_id, deleted.id))).toBe(0);
    const versions = await Promise.all(caught.map(async (link) => (await row(link))?.version));
    await applyBlocklist(env, Date.now());
    expect(await Promise.all(caught.map(async (link) => (await row(link))?.version))).toEqual(
      versions,
    );
    for (const value of ['turned.example', 'https://exact.example/page']) {
      const response = await call(`/api/admin/blocklist/${encodeURIComponent(value)}`, {
        method: 'DELETE',
        headers: admin.headers,
      });
      expect({ value, status: response.status, body: await response.json() }).toEqual({
        value,
        status: 200,
        body: { success: true },
      });
    }
    for (const link of caught) expect(await state(link)).toEqual(ACTIVE);
    expect(await db.select().from(admin_log).orderBy(desc(admin_log.id)).get()).toMatchObject({
      admin_id: admin.id,
      action: 'remove_blocklist',
      subject: 'blocklist:https://exact.example/page',
      before: '{"value":"https://exact.example/page","reason":""}',
    });
    expect(
      (
        await call('/api/admin/blocklist/turned.example', {
          method: 'DELETE',
          headers: admin.headers,
        })
      ).status,
    ).toBe(404);
  });

  it('releases a link with two entries only when both are removed, in either order', async () => {
    const hosts = ['twice.example', 'x.twice.example'];
    for (const order of [hosts, hosts.toReversed()]) {
      const link = await makeLink('https://x.twice.example/');
      await add(hosts.join('\n'));
      // Later, no entry is applied again.
      await applyBlocklist(env, Date.now() + 60_000);
      const states: unknown[] = [];
      for (const host of order) {
        await call(`/api/admin/blocklist/${host}`, { method: 'DELETE', headers: admin.headers });
        states.push((await state(link)).status);
      }
      expect({ order, states }).toEqual({ order, states: ['disabled', 'active'] });
    }
  });

  it('applies an entry again until links created at the same time are stored', async () => {
    const now = Date.now();
    await env.DB.prepare(
      `insert into blocklist (kind, value, created_at) values ('host', 'slip.example', ?)`,
    )
      .bind(now)
      .run();
    await applyBlocklist(env, now);
    const late = await makeLink('https://slip.example/');
    await applyBlocklist(env, now + 60_000);
    expect(await state(late)).toMatchObject({ status: 'disabled', by: 'blocklist' });
    expect(
      await env.DB.prepare(`select applied_at from blocklist where value = 'slip.example'`).first(
        'applied_at',
      ),
    ).toBe(now + 60_000);
  });

  it('applies thousands of entries to thousands of links in one run', async () => {
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
    expect(await applyBlocklist(env, Date.now())).toMatchObject({
      done: { links_disabled: 3000 },
    });
    const { keys } = await env.LINKS.list({ prefix: 'mass' });
    expect(keys).toHaveLength(300);
    expect(
      await env.DB.prepare(
        `select count(*) as n from blocklist where applied_at = 0 and created_at = 1`,
      ).first('n'),
    ).toBe(0);
  });

  it('searches and pages the list, and records an import', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const response: Response = await call(
        `/api/admin/blocklist?q=mass.example&cursor=${cursor}`,
        { headers: admin.headers },
      );
      const page: { entries: { value: string }[]; nextCursor: string | null } =
        await response.json();
      seen.push(...page.entries.map((entry) => entry.value));
      cursor = page.nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([3000, 3000]);
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

  it('covers a target whose host ends with a dot', async () => {
    const link = await makeLink('https://dotted.example/page');
    await db
      .update(links)
      .set({ target: 'https://dotted.example./page' })
      .where(eq(links.id, link.id));
    await add('https://dotted.example./page');
    expect(await state(link)).toMatchObject({ status: 'disabled', by: 'blocklist' });
  });

  it('counts an entry as applied from an age of 30 seconds on', async () => {
    await env.DB.prepare(
      `insert into blocklist (kind, value, created_at) values ('host', 'age.example', 1000000)`,
    ).run();
    const appliedAt = () =>
      env.DB.prepare(`select applied_at from blocklist where value = 'age.example'`).first(
        'applied_at',
      );
    const first = async () => {
      const query = { headers: admin.headers };
      const response = await call('/api/admin/blocklist?q=age.example', query);
      return (await response.json<BlocklistResponse>()).entries[0];
    };
    await applyBlocklist(env, 1_029_999);
    expect(await appliedAt()).toBe(0);
    const createdAt = new Date(1_000_000).toISOString();
    expect(await first()).toMatchObject({ value: 'age.example', createdAt, applied: false });
    await applyBlocklist(env, 1_030_000);
    expect(await appliedAt()).toBe(1_030_000);
    expect(await first()).toMatchObject({ value: 'age.example', createdAt, applied: true });
  });

  it('an entry that is added during a run is applied by the next one', async () => {
    const insert = (value: string) =>
      env.DB.prepare(`insert into blocklist (kind, value, created_at) values ('host', ?1, 1)`)
        .bind(value)
        .run();
    await insert('first.example');
    const link = await makeLink('https://later.example/');
    let isAdded = false;
    const DB = aroundD1(env.DB, async (what, run) => {
      const result = await run();
      if (what === 'd1.all' && !isAdded && JSON.stringify(result).includes('first.example')) {
        isAdded = true;
        await insert('later.example');
      }
      return result;
    });
    await applyBlocklist({ ...env, DB }, Date.now());
    expect([isAdded, await state(link)]).toEqual([true, ACTIVE]);
    await applyBlocklist(env, Date.now());
    expect(await state(link)).toMatchObject({ status: 'disabled' });
  });

  it('publishes no more links than the run of the job may write to KV', async () => {
    const caught = [
      await makeLink('https://a.few.example/'),
      await makeLink('https://b.few.example/'),
    ];
    await env.DB.prepare(
      `insert into blocklist (kind, value, created_at) values ('host', 'few.example', 1)`,
    ).run();
    await applyBlocklist(env, Date.now(), { canContinue: () => true, kvWrites: () => 1 });
    const records = await Promise.all(caught.map(({ code }) => env.LINKS.get(code)));
    expect(records.filter((record) => record !== null)).toHaveLength(1);
    for (const link of caught) expect(await state(link)).toMatchObject({ status: 'disabled' });
  });

  it('finds links behind the first 5,000 hosts', async () => {
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 5001)
       insert into links (code, target, target_host, created_at, updated_at)
       select 'host' || i, 'https://a' || i || '.many.example/', 'a' || i || '.many.example', 1, 1 from n`,
    ).run();
    const last = await makeLink('https://zz.last.example/');
    await env.DB.prepare(
      `insert into blocklist (kind, value, created_at) values ('host', 'last.example', 1)`,
    ).run();
    await applyBlocklist(env, Date.now());
    expect(await state(last)).toMatchObject({ status: 'disabled' });
  });

  it('finds entries by their reason', async () => {
    await call('/api/admin/blocklist', {
      json: { hosts: 'reasoned.example', reason: 'A fake bank' },
      headers: admin.headers,
    });
    const response = await call('/api/admin/blocklist?q=fake%20bank', { headers: admin.headers });
    expect(await response.json()).toMatchObject({ entries: [{ value: 'reasoned.example' }] });
  });

  it('records an import with its first 50 entries, and none that adds nothing', async () => {
    const hosts = Array.from({ length: 60 }, (_, i) => `n${i}.logged.example`);
    const newest = async () => {
      const entry = await db.select().from(admin_log).orderBy(desc(admin_log.id)).get();
      return { id: entry?.id, ...JSON.parse(entry?.after ?? '{}') };
    };
    await add(hosts.join('\n'));
    const recorded = await newest();
    expect([recorded.added, recorded.first]).toEqual([60, hosts.slice(0, 50)]);
    await add(hosts.join('\n'));
    expect((await newest()).id).toBe(recorded.id);
  });
});
