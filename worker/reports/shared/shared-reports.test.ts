import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { SHARED_REPORTS_MAX } from '#contract/limits.ts';
import { dayNumber, utcDate } from '#contract/reports/periods.ts';
import type {
  CreatedSharedReport,
  SharedReportsResponse,
  SharedReportView,
} from '#contract/reports/shared-reports.ts';
import { DAY_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { destinationId } from '#worker/redirect/shares.ts';
import { call } from '#worker/testing/call.ts';
import { deleteClicks, makeClick, makeLinks, makeWindow, rowsOf } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { newNetwork } from '#worker/testing/visitor.ts';
import { findDays, type SharedSubject } from './count-shared.ts';

const DAILY = {
  title: 'Spring campaign',
  parts: ['countries', 'sources', 'shortUrls'],
  period: '30d',
  expiresAt: null,
  password: null,
};
type Link = { id: number; code: string };

const shorten = async (person: Person): Promise<Link> => {
  const code = `s-${crypto.randomUUID().slice(0, 8)}`;
  const json = { longUrl: 'https://example.com/secret-path', customCode: code };
  await call('/api/shorten', { json, headers: person.headers });
  const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?1').bind(code).first('id');
  return { id: Number(id), code };
};
const post = ({ headers }: Person, json: object): Promise<Response> =>
  call('/api/shared-reports', { json, headers });
const share = async (person: Person, json: object): Promise<CreatedSharedReport> => {
  const response = await post(person, { ...DAILY, ...json });
  if (response.status !== 201) throw new Error(await response.text());
  return response.json();
};
const secretOf = ({ address }: CreatedSharedReport): string => new URL(address).hash.slice(1);
const open = (secret: string, password?: string, network = newNetwork()): Promise<Response> =>
  call('/api/shared-report', {
    json: { secret, ...(password !== undefined && { password }) },
    headers: { 'CF-Connecting-IP': network },
  });
const view = async (shared: CreatedSharedReport): Promise<SharedReportView> =>
  (await open(secretOf(shared))).json();
const list = async ({ headers }: Person) =>
  (await (await call('/api/shared-reports', { headers })).json<SharedReportsResponse>()).reports;

/** Clicks from these countries on the day before today, one second apart. */
const click = (link: Link, countries: Record<string, number>, daysAgo = 1, facts = {}) => {
  const noon = dayNumber(Date.now() - daysAgo * DAY_MS) * DAY_MS + DAY_MS / 2;
  const clicks = Object.entries(countries).flatMap(([c, n]) =>
    Array.from({ length: n }, (_, at) => makeClick(link.id, { t: noon + at, c, ...facts })),
  );
  return foldWindows(env.DB, [makeWindow(clicks)], Date.now());
};

let me: Person;
let link: Link;
beforeEach(async () => {
  await deleteClicks();
  me = await makePerson({ plan: 'premium' });
  link = await shorten(me);
});

describe('sharing a report', () => {
  it('[T72] stores only hashes of the secret and the password', async () => {
    const shared = await share(me, { code: link.code, password: 'correct horse' });
    expect(shared.address).toMatch(/\/share#[\w-]{43}$/);
    const stored = JSON.stringify(await rowsOf('shared_reports'));
    expect(stored).not.toContain(secretOf(shared));
    expect(stored).not.toContain('correct horse');
    const [{ address: _, ...listed }] = [shared];
    expect(await list(me)).toEqual([listed]);
    expect(listed).toMatchObject({ hasPassword: true, subject: { kind: 'link', code: link.code } });
    const log = (await rowsOf('admin_log')).filter((row) => row['admin_id'] === me.id);
    expect(log.map(({ action }) => action)).toEqual(['share_report']);
  });

  it('[T23] shares neither the link nor the tag of somebody else', async () => {
    const other = await makePerson();
    const tag = await call('/api/tags', { json: { name: 'x' }, headers: other.headers });
    const { id: tagId } = await tag.json<{ id: number }>();
    expect((await post(me, { ...DAILY, tagId })).status).toBe(404);
    expect((await post(other, { ...DAILY, code: link.code })).status).toBe(404);
    expect((await post(me, { ...DAILY, code: 'no-such' })).status).toBe(404);
    await env.DB.prepare("UPDATE links SET status = 'deleted' WHERE id = ?1").bind(link.id).run();
    expect((await post(me, { ...DAILY, code: link.code })).status).toBe(404);
  });

  it('rejects an end in the past, dates out of order and a short password', async () => {
    stopClock();
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
    await share(me, { code: link.code, expiresAt: inMs(1) });
    for (const [more, field] of [
      [{ expiresAt: inMs(0) }, 'expiresAt'],
      [{ period: 'dates' }, undefined],
      [{ period: 'dates', from: '2026-02-01', to: '2026-01-01' }, 'to'],
      [{ password: 'short' }, 'password'],
      [{ title: ' ' }, 'title'],
    ] as const) {
      const response = await post(me, { ...DAILY, code: link.code, ...more });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        field === undefined ? {} : { field },
      ]);
    }
  });

  it('limits the reports of an account, without those that have ended', async () => {
    for (let n = 0; n < SHARED_REPORTS_MAX; n += 1) await share(me, { code: link.code });
    const refused = await post(me, { ...DAILY, code: link.code });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'conflict' }]);
    const end = 'UPDATE shared_reports SET expires_at = 1 WHERE id = ?1';
    await env.DB.prepare(end)
      .bind((await list(me))[0]?.id)
      .run();
    await share(me, { code: link.code });
  });
});

describe('a shared report', () => {
  it('shows what the owner chose, and nothing about the owner', async () => {
    await click(link, { IN: 6, US: 7 });
    const shared = await share(me, { code: link.code });
    const shown = await view(shared);
    const today = Date.now();
    expect(shown).toMatchObject({
      kind: 'link',
      title: 'Spring campaign',
      destination: null,
      counts: {
        from: utcDate(today - 29 * DAY_MS),
        to: utcDate(today),
        totals: { totalClicks: 13, activeDays: 1 },
        clicksByDate: { [utcDate(today - DAY_MS)]: 13 },
        links: null,
      },
    });
    expect(shown.shortUrl).toContain(link.code);
    expect(shown.counts?.lists.map(({ list: name }) => name)).toEqual(['countries', 'sources']);
    const text = JSON.stringify(shown);
    for (const hidden of [me.id, me.email, 'secret-path']) expect(text).not.toContain(hidden);
  });

  it('[T72] folds small values and leaves today out of the lists', async () => {
    await click(link, { IN: 9, US: 7, DE: 4 });
    await click(link, { FR: 20 }, 0);
    const { counts } = await view(await share(me, { code: link.code }));
    expect(counts?.totals.totalClicks).toBe(40);
    expect(counts?.lists[0]).toEqual({
      list: 'countries',
      rows: [{ name: 'IN', clicks: 9 }],
      other: 11,
      from: utcDate(Date.now() - 29 * DAY_MS),
      to: utcDate(Date.now() - DAY_MS),
    });
  });

  it('[T72] folds the clicks without a campaign like a value', async () => {
    const campaigns = async () =>
      (await view(await share(me, { code: link.code, parts: ['campaigns'] }))).counts?.lists;
    await click(link, { IN: 8 }, 1, { u: 'news|email|spring' });
    await click(link, { IN: 3 });
    expect(await campaigns()).toMatchObject([{ rows: [], other: 11 }]);
    await click(link, { US: 2 });
    const rows = [
      { name: 'spring', clicks: 8 },
      { name: '', clicks: 5 },
    ];
    expect(await campaigns()).toMatchObject([{ rows, other: 0 }]);
  });

  it('[T72] lists the destinations of variants, those with few clicks together', async () => {
    const [url, rare, rarer] = ['https://b.example/', 'https://c.example/', 'https://d.example/'];
    await call(`/api/links/${link.code}`, {
      method: 'PATCH',
      json: { variants: [url, rare, rarer].map((one) => ({ url: one, weight: 10 })) },
      headers: me.headers,
    });
    const shared = await share(me, { code: link.code, parts: ['variants'] });
    const own = 'https://example.com/secret-path';
    await click(link, { IN: 7 }, 1, { d: destinationId(own) });
    await click(link, { IN: 5 }, 2, { d: destinationId(url) });
    await click(link, { IN: 9 }, 0, { d: destinationId(url) });
    await click(link, { IN: 4 }, 1, { d: destinationId(rare) });
    await click(link, { IN: 2 }, 1, { d: destinationId(rarer) });
    await click(link, { IN: 4 }, 1);
    const rows = [
      { name: own, clicks: 7 },
      { name: url, clicks: 5 },
    ];
    expect((await view(shared)).counts?.lists).toMatchObject([
      { list: 'variants', rows, other: 6 },
    ]);
    const lock = "UPDATE links SET password_hash = 'x' WHERE id = ?1";
    await env.DB.prepare(lock).bind(link.id).run();
    expect((await view(shared)).counts?.lists).toEqual([]);
  });

  it('shows a fixed period of whole days', async () => {
    await click(link, { IN: 6 }, 3);
    await click(link, { IN: 5 }, 5);
    const [from, to] = [4, 2].map((days) => utcDate(Date.now() - days * DAY_MS));
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
    const dates = { period: 'dates', from, to, expiresAt };
    const { counts, ...shown } = await view(await share(me, { code: link.code, ...dates }));
    expect(counts).toMatchObject({ from, to, totals: { totalClicks: 6 } });
    expect(shown.expiresAt).toBe(expiresAt);
  });

  it('sums the links of a tag and lists them', async () => {
    const other = await shorten(me);
    const tag = await call('/api/tags', { json: { name: 'launch' }, headers: me.headers });
    const { id: tagId } = await tag.json<{ id: number }>();
    const json = { codes: [link.code, other.code], action: 'add_tags', tags: ['launch'] };
    expect((await call('/api/links/actions', { json, headers: me.headers })).status).toBe(200);
    await click(link, { IN: 6 });
    await click(other, { IN: 8 });
    const parts = ['links', 'destinations'];
    const shared = await share(me, { tagId, parts });
    const { kind, counts } = await view(shared);
    expect([kind, counts?.totals.totalClicks]).toEqual(['tag', 14]);
    expect(counts?.links).toMatchObject([
      { clicks: 8, shortUrl: null, destination: 'https://example.com/secret-path' },
      { clicks: 6 },
    ]);
    const lock = "UPDATE links SET password_hash = 'x' WHERE id = ?1";
    await env.DB.prepare(lock).bind(other.id).run();
    const locked = await view(await share(me, { tagId, parts }));
    expect(locked.counts?.links?.map(({ destination }) => destination)).toEqual([
      null,
      'https://example.com/secret-path',
    ]);
    await call(`/api/tags/${tagId}`, { method: 'DELETE', headers: me.headers });
    expect((await open(secretOf(shared))).status).toBe(404);
    expect(await list(me)).toEqual([]);
  });

  it('[T72] lists the ten most clicked links of a tag, where its owner has chosen them', async () => {
    const tag = await call('/api/tags', { json: { name: 'ten' }, headers: me.headers });
    const { id: tagId } = await tag.json<{ id: number }>();
    const ids = Array.from({ length: 12 }, (_, at) => 90_001 + at);
    await makeLinks(ids, me.id);
    await env.DB.prepare(
      'INSERT INTO link_tags (link_id, tag_id, link_created_at) SELECT value, ?1, 1 FROM json_each(?2)',
    )
      .bind(tagId, JSON.stringify(ids))
      .run();
    const all = ids.flatMap((id, at) =>
      Array.from({ length: at + 1 }, () => makeClick(id, { t: Date.now() - DAY_MS })),
    );
    await foldWindows(env.DB, [makeWindow(all)], Date.now());
    const shared = await share(me, { tagId, parts: ['links'] });
    const shown = async () => (await view(shared)).counts?.links?.map(({ clicks }) => clicks);
    expect(await shown()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    const without = await share(me, { tagId, parts: ['countries'], period: 'all' });
    expect((await view(without)).counts).toMatchObject({ links: null });
  });

  it('[T72] loses its advanced parts with the plan of the owner', async () => {
    await click(link, { IN: 6 });
    const shared = await share(me, { code: link.code });
    expect((await view(shared)).counts?.lists).toHaveLength(2);
    const downgrade = "UPDATE subscriptions SET plan = 'free' WHERE user_id = ?1";
    await env.DB.prepare(downgrade).bind(me.id).run();
    const lists = (await view(shared)).counts?.lists.map(({ list: name }) => name);
    expect(lists).toEqual(['countries']);
  });

  it('shows a change at once, also one within the same millisecond', async () => {
    stopClock();
    const shared = await share(me, { code: link.code });
    await view(shared);
    const change = (json: object) =>
      call(`/api/shared-reports/${shared.id}`, { method: 'PATCH', json, headers: me.headers });
    await change({ title: 'Summer', parts: ['destinations'], period: '7d' });
    const shown = await view(shared);
    const destination = 'https://example.com/secret-path';
    expect(shown).toMatchObject({ title: 'Summer', shortUrl: null, destination });
    expect(shown.counts).toMatchObject({ from: utcDate(Date.now() - 6 * DAY_MS), lists: [] });
    expect((await change({ password: 'correct horse' })).status).toBe(200);
    expect((await open(secretOf(shared))).status).toBe(403);
    expect((await change({ password: null })).status).toBe(200);
    expect((await open(secretOf(shared))).status).toBe(200);
  });
});

describe('a change of a shared report', () => {
  const change = (shared: CreatedSharedReport, json: object) =>
    call(`/api/shared-reports/${shared.id}`, { method: 'PATCH', json, headers: me.headers });

  it('the chosen days of a report end with another period', async () => {
    const [from, to] = [4, 2].map((days) => utcDate(Date.now() - days * DAY_MS));
    const shared = await share(me, { code: link.code, period: 'dates', from, to });
    expect(shared).toMatchObject({ period: 'dates', from, to });
    expect((await change(shared, { period: '7d' })).status).toBe(200);
    expect(await list(me)).toMatchObject([{ period: '7d', from: null, to: null }]);
    for (const expiresAt of [new Date(Date.now() + DAY_MS).toISOString(), null]) {
      await change(shared, { expiresAt });
      expect(await list(me)).toMatchObject([{ expiresAt }]);
    }
  });

  it('lists shared reports newest first, with each part once, also unavailable ones', async () => {
    const parts = ['links', 'countries', 'links'];
    const shared = [
      await share(me, { code: link.code, parts }),
      await share(me, { code: link.code }),
    ];
    const age = 'UPDATE shared_reports SET created_at = 1 WHERE id = ?1';
    await env.DB.prepare(age).bind(shared[0]?.id).run();
    await env.DB.prepare("UPDATE links SET status = 'disabled' WHERE id = ?1").bind(link.id).run();
    expect(shared[0]).toMatchObject({ parts: ['links', 'countries'], available: true });
    const ids = shared.map(({ id }) => id).toReversed();
    expect(await list(me)).toMatchObject(ids.map((id) => ({ id, available: false })));
  });

  it('the audit log says that a report was revoked', async () => {
    const { id } = await share(me, { code: link.code });
    const path = `/api/shared-reports/${id}`;
    const { headers } = await makePerson();
    expect((await call(path, { method: 'DELETE', headers })).status).toBe(404);
    expect((await call(path, { method: 'DELETE', headers: me.headers })).status).toBe(200);
    expect(await list(me)).toEqual([]);
    const log = (await rowsOf('admin_log')).filter(({ after }) => String(after).includes(id));
    expect(log.map(({ action, after }) => [action, after])).toEqual(
      ['share_report', 'stop_sharing'].map((action) => [action, JSON.stringify({ report: id })]),
    );
  });

  it('[T72] a change brings no report back that has ended', async () => {
    const shared = await share(me, { code: link.code });
    await env.DB.prepare('UPDATE shared_reports SET expires_at = 1').run();
    expect((await change(shared, { expiresAt: null })).status).toBe(404);
    expect((await open(secretOf(shared))).status).toBe(404);
  });
});

describe('findDays', () => {
  const DAY = 20_000;
  const find = (period: SharedSubject['period'], more: Partial<SharedSubject> = {}) => {
    const subject = { user_id: '', link: null, tag_id: null, first_day: null, last_day: null };
    return findDays(openDb(env.DB), { ...subject, period, ...more }, (DAY + 1) * DAY_MS - 1);
  };

  it('the days of each period end today, and all time begins with the first link', async () => {
    const dates = { first_day: DAY - 3, last_day: DAY + 3 };
    const found = [await find('7d'), await find('30d'), await find('90d'), await find('all')];
    const firsts = [DAY - 6, DAY - 29, DAY - 89, DAY, DAY - 3];
    expect([...found, await find('dates', dates)]).toEqual(
      firsts.map((first) => ({ first, last: DAY })),
    );
    await env.DB.prepare(
      'INSERT INTO link_tags (link_id, tag_id, link_created_at) VALUES (1, 77, ?1), (2, 77, ?2)',
    )
      .bind((DAY - 5) * DAY_MS, (DAY - 9) * DAY_MS)
      .run();
    expect(await find('all', { tag_id: 77 })).toEqual({ first: DAY - 9, last: DAY });
  });
});

describe('a report that is not shown', () => {
  const answer = async (secret: string) => {
    const response = await open(secret);
    const { requestId: _, ...body } = await response.json<Record<string, unknown>>();
    return [response.status, body];
  };

  it.each([
    ['is unknown', () => 'UPDATE shared_reports SET secret_hash = id'],
    ['was revoked', () => 'DELETE FROM shared_reports'],
    ['has ended', () => 'UPDATE shared_reports SET expires_at = 1'],
    ['has a suspended owner', () => `UPDATE users SET suspended_at = 1 WHERE id = '${me.id}'`],
    ['has a deleted owner', () => `DELETE FROM users WHERE id = '${me.id}'`],
    ['has a disabled link', () => `UPDATE links SET status = 'disabled' WHERE id = ${link.id}`],
    ['has a link in the trash', () => `UPDATE links SET status = 'deleted' WHERE id = ${link.id}`],
    ['has a link of somebody else', () => `UPDATE links SET user_id = 'x' WHERE id = ${link.id}`],
  ])('[T72] that %s is answered like an unknown one', async (_, statement) => {
    const shared = await share(me, { code: link.code, password: 'correct horse' });
    expect((await open(secretOf(shared), 'correct horse')).status).toBe(200);
    await env.DB.prepare(statement()).run();
    const unknown = await answer('x'.repeat(43));
    expect(unknown).toMatchObject([404, { code: 'not_found' }]);
    expect(await answer(secretOf(shared))).toEqual(unknown);
  });
});

describe('POST /api/shared-report', () => {
  it('[T27] limits the requests of a network', async () => {
    const keys: string[] = [];
    const limit = async ({ key }: RateLimitOptions) => ({ success: keys.push(key) === 0 });
    const headers = { 'CF-Connecting-IP': '198.51.100.9' };
    const json = { secret: 'x'.repeat(43) };
    const limits = { LIMIT_READS: { limit } };
    expect((await call('/api/shared-report', { json, headers }, limits)).status).toBe(429);
    expect(keys).toEqual(['shared-report:198.51.100.9']);
  });
});

describe('the password of a shared report', () => {
  it('[T72] opens the report, within ten wrong tries from a network', async () => {
    const shared = await share(me, { code: link.code, password: 'correct horse' });
    const secret = secretOf(shared);
    const network = newNetwork();
    const tryOne = async (password?: string, from = network) => {
      const response = await open(secret, password, from);
      return [response.status, await response.json()];
    };
    expect(await tryOne()).toMatchObject([403, { field: 'password' }]);
    // A password that nobody has compared is no try.
    const PASSWORD_HASHERS = withMethods(env.PASSWORD_HASHERS, {
      getByName: (name: string) =>
        withMethods(env.PASSWORD_HASHERS.getByName(name), { derive: async () => null }),
    });
    const unread = {
      json: { secret, password: 'wrong' },
      headers: { 'CF-Connecting-IP': network },
    };
    const busy = await call('/api/shared-report', unread, { PASSWORD_HASHERS });
    expect(busy.status).toBe(429);
    expect((await tryOne('correct horse'))[0]).toBe(200);
    for (let n = 0; n < 10; n += 1)
      expect(await tryOne(`wrong ${n}`)).toMatchObject([403, { field: 'password' }]);
    expect(await tryOne('correct horse')).toMatchObject([429, { code: 'rate_limited' }]);
    const quartersLeft = async (from: string) => {
      const { headers } = await open(secret, 'correct horse', from);
      return Math.ceil(Number(headers.get('Retry-After')) / 900);
    };
    // The tries of a network count for 15 minutes, those of all networks for an hour.
    expect(await quartersLeft(network)).toBe(1);
    expect((await tryOne('correct horse', newNetwork()))[0]).toBe(200);
    // All networks together have a hundred tries.
    const count = env.DB.prepare('UPDATE counters SET count = ?2 WHERE key = ?1');
    const key = `shared-report:${shared.id}`;
    expect((await count.bind(key, 99).run()).meta.changes).toBe(1);
    expect((await tryOne('wrong', newNetwork()))[0]).toBe(403);
    expect((await tryOne('correct horse', newNetwork()))[0]).toBe(429);
    expect(await quartersLeft(newNetwork())).toBe(4);
    expect(JSON.stringify(await rowsOf('counters'))).not.toContain(network);
  });
});
