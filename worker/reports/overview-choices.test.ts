import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CompareResponse, OverviewResponse } from '#contract/reports/overview.ts';
import { oldestDayKept, startOfDay, utcDate } from '#contract/reports/periods.ts';
import type { TimesResponse } from '#contract/reports/times.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow, UA_IPHONE } from '#worker/testing/clicks.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const now = Date.now();
const today = startOfDay(now);
const yesterday = today - DAY_MS;
let me: Person;
let free: Person;
const codes: string[] = [];

async function shorten(person: Person, longUrl: string, tags: string[] = []) {
  const { headers } = person;
  const made = await call('/api/shorten', { json: { longUrl }, headers });
  const { code } = await made.json<{ code: string }>();
  const tagged = await call(`/api/links/${code}`, { method: 'PATCH', json: { tags }, headers });
  expect(tagged.ok).toBe(true);
  const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?').bind(code).first('id');
  return { code, id: Number(id) };
}

const read = async <T = OverviewResponse>(path: string, person = me): Promise<T> => {
  const response = await call(`/api/${path}`, { headers: person.headers });
  expect(response.status, path).toBe(200);
  return response.json();
};
const statusOf = async (path: string, person = me): Promise<number> =>
  (await call(`/api/${path}`, { headers: person.headers })).status;

beforeAll(async () => {
  [me, free] = [await makePerson({ plan: 'premium' }), await makePerson()];
  const [one, two, three] = [
    await shorten(me, 'https://one.example/?utm_source=mail', ['launch']),
    await shorten(me, 'https://two.example/', ['launch', 'print']),
    await shorten(me, 'https://two.example/3'),
  ];
  codes.push(one.code, two.code, three.code, (await shorten(free, 'https://one.example/')).code);
  const clicks = [
    makeClick(one.id, { t: yesterday + 9 * HOUR_MS, k: 'a' }),
    makeClick(one.id, { t: yesterday + 9 * HOUR_MS, k: 'b', c: 'DE' }),
    makeClick(two.id, { t: yesterday + 21 * HOUR_MS, k: 'a', ua: UA_IPHONE }),
    makeClick(three.id, { t: now - 200 * DAY_MS, r: 'old.example' }),
  ];
  await foldWindows(env.DB, [makeWindow(clicks)], now);
});

describe('GET /api/analytics', () => {
  it('counts all time, own periods and 12 months, with details of 90 days', async () => {
    const all = await read('analytics?range=all');
    expect(all).toMatchObject({
      range: 'all',
      period: { from: null, to: utcDate(now) },
      detailsSince: utcDate(today - 89 * DAY_MS),
      analytics: { totalClicks: 4, previousPeriod: null, clicksByReferrer: { Direct: 3 } },
    });
    expect(all.analytics.topLinks.map(({ clicks }) => clicks)).toEqual([2, 1, 1]);
    expect((await read('analytics?range=12m')).analytics.totalClicks).toBe(4);
    const day = utcDate(yesterday);
    const own = await read(`analytics?from=${day}&to=${day}`);
    expect(own).toMatchObject({
      range: 'custom',
      period: { from: day, to: day },
      detailsSince: null,
      analytics: {
        totalClicks: 3,
        clicksByUtmSource: { mail: 2 },
        clicksByHour: { [yesterday + 9 * HOUR_MS]: 2, [yesterday + 21 * HOUR_MS]: 1 },
        previousPeriod: { totalClicks: 0, current: { totalClicks: 3 } },
      },
    });
    expect((await read('analytics?range=today')).analytics.totalClicks).toBe(0);
  });

  it('counts only the links with a tag, with a host, or both', async () => {
    expect(await read('analytics?range=7d&tag=Launch')).toMatchObject({
      tag: 'Launch',
      host: null,
      links: 2,
      analytics: { totalClicks: 3, clicksByCountry: { IN: 2, DE: 1 }, uniqueClicks: 3 },
    });
    const host = await read('analytics?range=12m&host=two.example');
    expect(host).toMatchObject({
      links: 2,
      detailsSince: null,
      shortenedBy: null,
      analytics: { totalClicks: 2, clicksByReferrer: { Direct: 1, 'old.example': 1 } },
    });
    expect(host.analytics.topLinks.map(({ code }) => code)).toEqual([codes[1], codes[2]]);
    expect(await read('analytics?range=7d&tag=launch&host=two.example')).toMatchObject({
      links: 1,
      analytics: { totalClicks: 1, clicksByDevice: { Mobile: 1 } },
    });
    expect(await read('analytics?range=7d&tag=unknown')).toMatchObject({
      links: 0,
      analytics: { totalClicks: 0, topLinks: [] },
    });
  });

  it('compares links on a host only with days that are all kept', async () => {
    const person = await makePerson({ plan: 'premium' });
    const { id } = await shorten(person, 'https://old.example/');
    const clicks = [800, 100].map((ago) => makeClick(id, { t: today - ago * DAY_MS }));
    await foldWindows(env.DB, [makeWindow(clicks)], now);
    const previous = async (query: string) =>
      (await read(`analytics?${query}`, person)).analytics.previousPeriod;
    expect(await previous('range=12m')).toMatchObject({ totalClicks: 0 });
    expect(await previous('range=12m&host=old.example')).toBeNull();
    expect(await previous('range=90d&host=old.example')).toMatchObject({ totalClicks: 1 });
    // Of the days before the last 90, all links have no hours any more.
    const until = new Date(today - 90 * DAY_MS).toISOString();
    expect(await previous('range=90d')).toMatchObject({ totalClicks: 1, until });
  });

  it.each([
    'analytics?',
    'analytics?host=one.example&',
    'overview/times?',
    'overview/compare?tags=launch&',
  ])('says that days of a period are not kept: %s', async (path) => {
    const [from, to] = ['2020-01-01', utcDate(yesterday)];
    const first = utcDate(oldestDayKept(now));
    const shortened = await read(`${path}from=${from}&to=${to}`);
    expect(shortened).toMatchObject({ shortenedBy: 'retention', period: { from: first, to } });
    expect(await read(`${path}from=${first}&to=${to}`)).toMatchObject({ shortenedBy: null });
  });

  it('[T27] limits reports of chosen links and exports, and no report of all links', async () => {
    const asked = async (path: string): Promise<unknown> => {
      const keys: string[] = [];
      const limit = async ({ key }: RateLimitOptions) => ({ success: keys.push(key) === 0 });
      const limits = { LIMIT_MISSES: { limit }, LIMIT_VISITOR_LINKS: { limit } };
      const { status } = await call(`/api/${path}`, { headers: me.headers }, limits);
      return [status, ...keys];
    };
    for (const path of [
      'analytics?tag=launch',
      'analytics?host=one.example',
      'analytics?domain=',
      'overview/times?tag=launch',
      'overview/compare?tags=launch',
    ])
      expect(await asked(path), path).toEqual([429, `clicks:${me.id}`]);
    expect(await asked('overview/export?format=csv')).toEqual([429, `export:${me.id}`]);
    expect([await asked('analytics'), await asked('overview/times')]).toEqual([[200], [200]]);
  });

  it('limits the answer to the plan, also with a host', async () => {
    const { analytics } = await read('analytics?range=7d&host=one.example', free);
    for (const name of ['clicksByReferrer', 'clicksByHour', 'clicksByUtmSource', 'previousPeriod'])
      expect(analytics).not.toHaveProperty(name);
  });
});

describe('GET /api/overview/times and /export', () => {
  it('counts hours of all links, and of those with a host', async () => {
    const sum = async (query: string) => {
      const times = await read<TimesResponse>(`overview/times?${query}`);
      expect(times.clicksByWeekHour.reduce((total, n) => total + n)).toBe(times.totalClicks);
      return times.totalClicks;
    };
    expect(await sum('range=7d')).toBe(3);
    expect(await sum('range=7d&host=two.example&tz=Asia/Kolkata')).toBe(1);
    const all = await read<TimesResponse>('overview/times?range=all');
    expect(all.hoursSince).toBe(utcDate(today - 89 * DAY_MS));
    expect(await statusOf('overview/times?tz=Mars/Olympus')).toBe(400);
  });

  it.each([
    'analytics?',
    'overview/times?',
    'overview/export?format=csv&',
    'overview/compare?tags=launch&',
  ])('answers 400 for half a period and one in reverse: %s', async (path) => {
    const [from, to] = [`from=${utcDate(today)}`, `to=${utcDate(yesterday)}`];
    for (const query of [from, to, `${from}&${to}`])
      expect(await statusOf(path + query), query).toBe(400);
    expect(await statusOf(`${path}from=${utcDate(yesterday)}&${to}`)).toBe(200);
  });

  it('exports the overview as a table with every day', async () => {
    const response = await call('/api/overview/export?range=7d&format=csv', {
      headers: me.headers,
    });
    const lines = (await response.text()).replaceAll('"', '').trim().split('\r\n');
    expect(lines[0]).toBe('link,dimension,value,clicks,visitors');
    expect(lines.filter((line) => line.startsWith(',date,'))).toHaveLength(7);
    expect(lines).toContain(`,date,${utcDate(yesterday)},3,3`);
    expect(lines.at(-1)).toMatch(/^http.*,total,,1,$/);
    const path = '/api/overview/export?range=all&format=';
    const all = await (await call(`${path}csv`, { headers: me.headers })).text();
    // All time begins with the first click.
    expect(all.match(/"date"/g)).toHaveLength(201);
    const json = await call(`${path}json`, { headers: me.headers });
    expect(json.headers.get('Content-Disposition')).toBe('attachment; filename="overview.json"');
    expect(await json.json()).toMatchObject({ range: 'all', analytics: { totalClicks: 4 } });
  });

  it('answers 402 on the Free plan', async () => {
    for (const path of ['overview/times', 'overview/export', `analytics/${codes[3]}/times`])
      expect(await statusOf(path, free)).toBe(402);
  });
});

describe('GET /api/overview/compare', () => {
  it('returns a series for each link in the order of the request', async () => {
    const { series } = await read<CompareResponse>(
      `overview/compare?range=7d&links=${codes[2]},${codes[0]}`,
    );
    const empty = { totalClicks: 0, uniqueClicks: 0, clicksByDate: {}, visitorsByDate: {} };
    expect(series).toMatchObject([
      { code: codes[2], color: null, ...empty },
      { name: codes[0], totalClicks: 2, clicksByDate: { [utcDate(yesterday)]: 2 } },
    ]);
  });

  it('takes a link on a domain by host and code, and by its key', async () => {
    const host = 'go.compared.test-host.com';
    await makeDomain(host, { owner: me.id });
    const made = await call('/api/shorten', {
      json: { longUrl: 'https://one.example/', domain: host, customCode: 'compared', title: 'T' },
      headers: me.headers,
    });
    const { code: key } = await made.json<{ code: string }>();
    const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?').bind(key).first('id');
    const again = makeClick(Number(id), { t: yesterday, k: 'a' });
    await foldWindows(env.DB, [makeWindow([again, again])], now);
    const figures = {
      totalClicks: 2,
      uniqueClicks: 1,
      visitorsByDate: { [utcDate(yesterday)]: 1 },
    };
    for (const name of [`${host}/compared`, key]) {
      const links = encodeURIComponent(`${name},${codes[0]}`);
      const { series } = await read<CompareResponse>(`overview/compare?links=${links}`);
      expect(series).toMatchObject([
        { name, code: key, title: 'T', ...figures },
        { name: codes[0] },
      ]);
    }
    expect(await statusOf(`overview/compare?links=${host}/${codes[0]}`)).toBe(404);
  });

  it('returns a series for each tag, also without clicks', async () => {
    const { series } = await read<CompareResponse>('overview/compare?range=7d&tags=PRINT,nothing');
    expect(series).toMatchObject([
      { name: 'print', code: null, totalClicks: 1, uniqueClicks: 1 },
      { name: 'nothing', color: null, totalClicks: 0 },
    ]);
  });

  it('compares at most five own links or two tags, on every plan', async () => {
    expect(await statusOf(`overview/compare?links=${codes[3]}`, free)).toBe(200);
    expect(await statusOf(`overview/compare?links=${codes[0]}`, free)).toBe(404);
    expect(await statusOf('overview/compare?links=a,b,c,d,e,f')).toBe(400);
    expect(await statusOf('overview/compare?tags=a,b,c')).toBe(400);
    expect(await statusOf('overview/compare?tags=a&links=b')).toBe(400);
    expect(await statusOf('overview/compare')).toBe(400);
  });
});

describe('a report by domain', () => {
  it('counts the links on a domain, or on the own short host, and nobody else’s', async () => {
    const owner = await makePerson({ plan: 'premium' });
    const domain = await makeDomain('go.counted.test-host.com', { owner: owner.id });
    const foreign = await makeDomain('go.foreign.test-host.com', { owner: me.id });
    const own = await shorten(owner, 'https://own.example/');
    const onDomain = await shorten(owner, 'https://moved.example/');
    const others = await shorten(me, 'https://moved.example/');
    const move = env.DB.prepare('UPDATE links SET code = ?1 WHERE id = ?2');
    await env.DB.batch([
      move.bind(`${domain}/sale`, onDomain.id),
      move.bind(`${foreign}/sale`, others.id),
    ]);
    const click = (id: number, k: string) => makeClick(id, { t: yesterday + HOUR_MS, k });
    const clicks = [click(onDomain.id, 'a'), click(onDomain.id, 'b'), click(own.id, 'a')];
    await foldWindows(env.DB, [makeWindow(clicks)], now);
    const totalOf = async (name: string) => {
      const report = await read(`analytics?domain=${name}`, owner);
      expect(report.domain).toBe(name);
      return [report.links, report.analytics.totalClicks];
    };
    expect(await totalOf('go.counted.test-host.com')).toEqual([1, 2]);
    expect(await totalOf('')).toEqual([1, 1]);
    expect(await totalOf('go.foreign.test-host.com')).toEqual([0, 0]);
    const { detailsSince, analytics } = await read('analytics?range=all', owner);
    // The details of all days with clicks are kept.
    expect(detailsSince).toBeNull();
    expect(analytics.topLinks[0]?.shortUrl).toMatch(/go\.counted\.test-host\.com(:\d+)?\/sale$/);
  });
});
