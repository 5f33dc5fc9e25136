import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClicksReport } from '#contract/v1/v1-clicks.ts';
import type { V1Link } from '#contract/v1/v1.ts';
import type { Problem } from '#contract/v1/v1-problem.ts';
import { DAY_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { makeClick, makeWindow, UA_IPHONE } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { numberOf } from '#worker/testing/link-ids.ts';

const now = Date.now();
const dateOf = (daysAgo: number): string =>
  new Date(now - daysAgo * DAY_MS).toISOString().slice(0, 10);

let holder: KeyHolder;
let free: KeyHolder;
const ids: Record<string, string> = {};

async function makeLink(owner: KeyHolder, code: string, tags: string[] = []): Promise<string> {
  const json = { url: `https://example.com/${code}`, code, tags };
  const { id } = await (await send(owner, 'POST /links', { json })).json<V1Link>();
  return id;
}

/** Counts clicks on a link as they would have been counted on their day. */
async function click(id: string, daysAgo: number, n: number, facts = {}): Promise<void> {
  const t = now - daysAgo * DAY_MS;
  const link = await numberOf(id);
  const clicks = Array.from({ length: n }, (_, i) => makeClick(link, { t, k: `v${i}`, ...facts }));
  await foldWindows(env.DB, [makeWindow(clicks)], t);
}

beforeAll(async () => {
  holder = await makeKey();
  free = await makeKey({ person: await makePerson() });
  for (const [code, tags] of [
    ['spring', ['sale', 'mail']],
    ['autumn', ['sale']],
    ['winter', []],
    ['gone', ['sale']],
  ] as const)
    ids[code] = await makeLink(holder, code, [...tags]);
  const { spring = '', autumn = '', winter = '', gone = '' } = ids;
  await click(spring, 400, 1, { c: 'DE' });
  await click(autumn, 100, 5, { c: 'DE', y: 'Berlin', g: 'BE' });
  await click(spring, 8, 4, { c: 'DE', y: 'Berlin', g: 'BE' });
  await click(winter, 5, 3, { c: 'DE', y: '', g: '', ua: UA_IPHONE, r: 'news.example' });
  await click(spring, 3, 2, { c: 'DE', u: 'letter|email|summer' });
  await click(spring, 3, 9, { c: 'IN' });
  await click(autumn, 2, 6, { c: 'FR', u: '|email|' });
  await click(gone, 2, 7, { c: 'DE' });
  await click(spring, 0, 1, { c: 'DE' });
  await click(spring, 0, 8, { p: 1 });
  await send(holder, `DELETE /links/${gone}`);
  await send(holder, `PATCH /links/${autumn}`, { json: { archived: true } });
});

const ask = (query: string, owner = holder) => send(owner, `GET /analytics/clicks?${query}`);
const read = async (query: string, owner = holder): Promise<ClicksReport> =>
  (await ask(query, owner)).json();
const countsOf = ({ data }: ClicksReport) => data.map(({ value, clicks }) => [value, clicks]);
const problemOf = async (query: string, owner = holder) => {
  const { status, code, errors = [] } = await (await ask(query, owner)).json<Problem>();
  return [status, code, errors[0]?.parameter];
};

describe('GET /api/v1/analytics/clicks', () => {
  it('ranks the links with the most clicks from a country in a week', async () => {
    const report = await read(`country=de&start=${dateOf(7)}&end=${dateOf(1)}`);
    expect(countsOf(report)).toEqual([
      ['winter', 3],
      ['spring', 2],
    ]);
    expect(report).toMatchObject({
      groupBy: 'link',
      period: { start: dateOf(7), end: dateOf(1) },
      shortenedBy: null,
      totals: { clicks: 5, visitors: null },
      groups: 2,
    });
    expect(report.data[0]).toMatchObject({ linkId: ids['winter'], visitors: null, series: null });
  });

  it('counts the clicks of each tag, and a link with two tags once in the total', async () => {
    const report = await read(`groupBy=tag&start=${dateOf(8)}`);
    expect(countsOf(report)).toEqual([
      ['sale', 22],
      ['mail', 16],
    ]);
    expect(report.totals).toEqual({ clicks: 25, visitors: expect.any(Number) });
    expect(countsOf(await read(`groupBy=tag&start=${dateOf(8)}&country=FR`))).toEqual([
      ['sale', 6],
    ]);
  });

  it('returns a time series for each of many links, also for one without clicks', async () => {
    const { spring = '', winter = '' } = ids;
    const idle = await makeLink(holder, 'idle');
    const report = await read(
      `linkIds=${spring},${winter},${idle}&interval=day&start=${dateOf(8)}&end=${dateOf(3)}`,
    );
    const at = (daysAgo: number) => `${dateOf(daysAgo)}T00:00:00.000Z`;
    expect(report.data.map(({ value, series }) => ({ value, series }))).toEqual([
      {
        value: 'spring',
        series: [
          { start: at(8), clicks: 4, visitors: 4 },
          { start: at(3), clicks: 11, visitors: 9 },
        ],
      },
      { value: 'winter', series: [{ start: at(5), clicks: 3, visitors: 3 }] },
      { value: 'idle', series: [] },
    ]);
    const months = await read(
      `linkIds=${spring}&interval=month&start=${dateOf(8)}&end=${dateOf(3)}`,
    );
    expect(months.data[0]?.series?.map(({ clicks }) => clicks).reduce((a, b) => a + b)).toBe(15);
    expect(months.data[0]?.series?.[0]?.start).toBe(`${dateOf(8).slice(0, 7)}-01T00:00:00.000Z`);
  });

  it.each([
    ['groupBy=country', { DE: 10, IN: 9, FR: 6 }],
    ['groupBy=city&country=DE', { 'Berlin, BE, DE': 4, 'Bengaluru, KA, DE': 3, 'Unknown, DE': 3 }],
    ['groupBy=device', { Desktop: 22, Mobile: 3 }],
    ['groupBy=browser&device=mobile', { 'Mobile Safari': 3 }],
    ['groupBy=referrer', { Direct: 22, 'news.example': 3 }],
    ['groupBy=utmSource', { letter: 2 }],
    ['groupBy=utmMedium', { email: 8 }],
    ['groupBy=utmCampaign&utmMedium=email', { summer: 2 }],
    ['groupBy=link&referrer=direct', { spring: 16, autumn: 6 }],
    ['groupBy=link&utmMedium=EMAIL', { autumn: 6, spring: 2 }],
    ['groupBy=link&utmSource=letter&utmCampaign=summer', { spring: 2 }],
    ['groupBy=link&browser=chrome&os=windows', { spring: 16, autumn: 6 }],
    ['groupBy=link&tag=MAIL', { spring: 16 }],
    ['groupBy=link&tag=nothing', {}],
    ['groupBy=country&tag=mail', { IN: 9, DE: 7 }],
  ])('counts by value: %s', async (query, expected) => {
    const report = await read(`${query}&start=${dateOf(8)}`);
    expect(Object.fromEntries(countsOf(report))).toEqual(expected);
    expect(report.totals.clicks).toBe(Object.values(expected).reduce((a, b) => a + b, 0));
  });

  it('lists all days and months in their order', async () => {
    expect(countsOf(await read(`groupBy=day&limit=1&start=${dateOf(8)}`))).toEqual([
      [dateOf(8), 4],
      [dateOf(5), 3],
      [dateOf(3), 11],
      [dateOf(2), 6],
      [dateOf(0), 1],
    ]);
    const months = await read(`groupBy=month&start=${dateOf(120)}`);
    expect(months.data[0]).toMatchObject({ value: dateOf(100).slice(0, 7), clicks: 5 });
    expect(months.totals.clicks).toBe(30);
  });

  it('counts whole days, and a time at midnight ends the day before', async () => {
    const periodOf = async (query: string) => (await read(query)).period;
    expect(await periodOf(`start=${dateOf(5)}T23:59:59Z&end=${dateOf(3)}T00:00:00Z`)).toEqual({
      start: dateOf(5),
      end: dateOf(4),
    });
    expect(
      await periodOf(`start=${dateOf(5)}T01:00:00%2B02:00&end=${dateOf(3)}T00:00:01Z`),
    ).toEqual({ start: dateOf(6), end: dateOf(3) });
    expect(await periodOf('')).toEqual({ start: dateOf(29), end: dateOf(0) });
    expect(await periodOf(`end=${dateOf(10)}`)).toEqual({ start: dateOf(39), end: dateOf(10) });
    expect(await periodOf('end=2099-01-01&start=2026-11-01')).toMatchObject({ end: dateOf(0) });
  });

  it('says that days before the 13 months that are kept are not counted', async () => {
    const report = await read('start=2020-01-01');
    const first = new Date(
      Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() - 13, 1),
    );
    expect(report).toMatchObject({
      period: { start: first.toISOString().slice(0, 10) },
      shortenedBy: 'retention',
      totals: { clicks: now - 400 * DAY_MS >= first.getTime() ? 31 : 30 },
    });
    expect(await problemOf('start=2020-01-01&end=2020-02-01')).toEqual([
      400,
      'invalid_query',
      'end',
    ]);
  });

  it('lists the largest entries, and says how many there are', async () => {
    const report = await read(`limit=1&start=${dateOf(8)}`);
    expect(countsOf(report)).toEqual([['spring', 16]]);
    expect(report).toMatchObject({ groups: 3, totals: { clicks: 25 } });
    expect((await read(`groupBy=country&start=${dateOf(8)}`)).totals.visitors).toBeNull();
  });

  it.each([
    [`start=${dateOf(1)}&end=${dateOf(2)}`, 'end'],
    ['start=yesterday', 'start'],
    ['country=DE&device=Mobile', 'groupBy'],
    ['groupBy=referrer&country=DE', 'groupBy'],
    ['groupBy=country&interval=day', 'interval'],
    ['groupBy=day&interval=day', 'interval'],
    ['country=', 'country'],
    [`linkIds=${Array.from({ length: 101 }, (_, i) => i + 1).join(',')}`, 'linkIds'],
  ])('rejects %s', async (query, parameter) => {
    expect(await problemOf(query)).toEqual([400, 'invalid_query', parameter]);
  });

  it('answers 404 if one of the links is not of the account', async () => {
    const theirs = await makeLink(free, 'theirs');
    for (const other of [theirs, '0', 'x', ids['gone']])
      expect(await problemOf(`linkIds=${ids['spring']},${other}`)).toEqual([
        404,
        'not_found',
        undefined,
      ]);
  });

  it('a key with a code prefix counts its own links, and no tags', async () => {
    const { person } = holder;
    const prefixed = await makeKey({ person, codePrefix: 'sp' });
    expect(countsOf(await read(`start=${dateOf(8)}`, prefixed))).toEqual([['spring', 16]]);
    expect(await problemOf(`linkIds=${ids['winter']}`, prefixed)).toEqual([
      404,
      'not_found',
      undefined,
    ]);
    expect(await problemOf('groupBy=tag', prefixed)).toEqual([403, 'forbidden', undefined]);
  });

  it.each(['groupBy=city', 'groupBy=utmSource', 'referrer=news.example', 'browser=Chrome'])(
    'on the free plan %s needs an upgrade',
    async (query) => {
      expect(await problemOf(query, free)).toEqual([402, 'payment_required', undefined]);
      expect((await ask('groupBy=country&country=DE', free)).status).toBe(200);
    },
  );

  it('questions of all keys of an account count against one limit', async () => {
    const keys: string[] = [];
    const LIMIT_MISSES: RateLimit = {
      limit: async ({ key }) => ({ success: keys.push(key) === 0 }),
    };
    const answer = await send(holder, 'GET /analytics/clicks', {}, { LIMIT_MISSES });
    expect([answer.status, answer.headers.get('Retry-After'), keys]).toEqual([
      429,
      '60',
      [`clicks:${holder.person.id}`],
    ]);
  });
});
