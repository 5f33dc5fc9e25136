import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FullReport } from '#contract/reports/analytics.ts';
import { DAY_MS } from '#contract/time.ts';
import type { LinkAnalytics } from '#contract/v1/v1-analytics.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { destinationId } from '#worker/redirect/shares.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT } from '#worker/testing/clicks.ts';
import { publicIdOf } from '#worker/testing/link-ids.ts';

const now = Date.now();
const [A, B, C] = ['https://example.com/1', 'https://b.example/', 'https://c.example/'];
let holder: KeyHolder;

const click = (url: string, k: string, days = 0, over = {}) =>
  makeClick(1, { t: now - days * DAY_MS, d: destinationId(url), k, ...over });
const change = (json: object): Promise<Response> =>
  call('/api/links/link1', { method: 'PATCH', json, headers: holder.person.headers });
const report = async (query = '?range=all'): Promise<FullReport['analytics']['destinations']> => {
  const path = `/api/analytics/link1${query}`;
  const response = await call(path, { headers: holder.person.headers });
  return (await response.json<FullReport>()).analytics.destinations;
};

beforeAll(async () => {
  holder = await makeKey();
  await makeLinks([1], holder.person.id);
  const clicks = [
    click(A, 'ann'),
    click(A, 'ann', 0, { t: now - 5 }),
    click(B, 'ben'),
    click(A, ''),
    click(B, 'bot', 0, { ua: UA_BOT }),
    click(B, 'pre', 0, { p: 1 }),
    makeClick(1, { t: now, k: 'rule' }),
    click(C, 'cat', 3),
    click(B, 'ann', 3),
    click(B, 'ann', 100),
  ];
  await foldWindows(env.DB, [makeWindow(clicks)], now);
});

describe('the destinations of a link in analytics', () => {
  it('the present destinations come first, then earlier ones by address or together', async () => {
    expect((await change({ variants: [{ url: B, weight: 30 }] })).status).toBe(200);
    const own = { url: A, weight: 70, clicks: 3, visitors: 1 };
    const other = { url: B, weight: 30, clicks: 3, visitors: 3 };
    const share = { measured: 0.25, low: 0.0456, high: 0.6994 };
    expect(await report()).toEqual([
      { ...own, share },
      { ...other, share: { measured: 0.75, low: 0.3006, high: 0.9544 } },
      { url: null, weight: null, clicks: 1, visitors: 1, share: null },
    ]);
    expect(await report('?range=30d')).toMatchObject([
      own,
      { ...other, clicks: 2, visitors: 2 },
      { clicks: 1 },
    ]);
    expect(await report('?range=24h')).toMatchObject([own, { clicks: 1, visitors: 1 }]);
    await change({ variants: [{ url: C, weight: 30 }] });
    await change({ variants: [{ url: B, weight: 30 }] });
    expect((await report())[2]).toMatchObject({ url: C, weight: null, clicks: 1, visitors: 1 });
  });

  it('counts the same in /api/v1, in the export, and when days become months', async () => {
    const before = await report();
    const id = await publicIdOf(1);
    const v1 = await send(holder, `GET /links/${id}/analytics?range=all`);
    expect((await v1.json<LinkAnalytics>()).destinations).toEqual(before);
    const csv = await call('/api/analytics/link1/export?range=all&format=csv', {
      headers: holder.person.headers,
    });
    expect(await csv.text()).toContain(`"destination","${B}","3","3"`);
    await closeMonths({ DB: env.DB }, now);
    expect(await report()).toEqual(before);
  });

  it('destinations keep their clicks when a variant becomes the destination, and back', async () => {
    const before = await report();
    const restored = { longUrl: A, variants: [{ url: B, weight: 30 }] };
    expect((await change({ longUrl: B, variants: [] })).status).toBe(200);
    expect(await report()).toMatchObject([
      { url: B, weight: 100, clicks: 3, visitors: 3 },
      { url: A, weight: null, clicks: 3, visitors: 1 },
      { url: C, weight: null, clicks: 1 },
    ]);
    expect((await change(restored)).status).toBe(200);
    expect(await report()).toEqual(before);
  });

  it('lists none for a link that never had variants', async () => {
    await makeLinks([2], holder.person.id);
    await foldWindows(env.DB, [makeWindow([makeClick(2, { t: now })])], now);
    const response = await call('/api/analytics/link2', { headers: holder.person.headers });
    expect((await response.json<FullReport>()).analytics.destinations).toEqual([]);
  });
});
