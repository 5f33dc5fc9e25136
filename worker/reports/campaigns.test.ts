import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOP } from '#worker/testing/link-ids.ts';
import { periodOf } from '#contract/reports/ranges.ts';
import type { AnalyticsResponse, FullReport } from '#contract/reports/analytics.ts';
import { DAY_MS } from '#contract/time.ts';
import type { LinkAnalytics } from '#contract/v1/v1-analytics.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT } from '#worker/testing/clicks.ts';
import { publicIdOf } from '#worker/testing/link-ids.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { buildReport, findVisibleLink } from './report.ts';

const now = Date.now();
let owner: Person;

beforeAll(async () => {
  owner = await makePerson({ plan: 'premium' });
  await makeLinks([1, 2], owner.id);
  await env.DB.prepare(
    "UPDATE links SET target = 'https://example.com/?utm_medium=email' WHERE id = 2",
  ).run();
  const clicks = [1, 2].flatMap((link) => [
    makeClick(link, { t: now, q: 1 }),
    makeClick(link, { t: now, q: 1, ua: UA_BOT }),
    makeClick(link, { t: now, u: 'mail|cpc|' }),
    makeClick(link, { t: now - 3 * DAY_MS, q: 1, u: 'mail||spring' }),
    makeClick(link, { t: now - 100 * DAY_MS, q: 1, u: 'old||' }),
  ]);
  await foldWindows(env.DB, [makeWindow(clicks)], now);
});

async function report(query = '', code = 'link1'): Promise<FullReport['analytics']> {
  const response = await call(`/api/analytics/${code}${query}`, { headers: owner.headers });
  return (await response.json<FullReport>()).analytics;
}

describe('scans and UTM values in analytics', () => {
  it('scans and UTM values count in every range, scans of the last day by the hour', async () => {
    expect((await report('?range=24h')).qrScans).toBe(1);
    const month = await report('?range=30d');
    expect(month.qrScans).toBe(2);
    expect(month.clicksByUtmSource).toEqual({ mail: 2 });
    expect(month.clicksByUtmMedium).toEqual({ cpc: 1 });
    expect(month.clicksByUtmCampaign).toEqual({ spring: 1 });
    expect((await report()).clicksByUtmSource).toEqual({ mail: 2, old: 1 });
  });

  it('a UTM value of the target comes before the one that was passed on', async () => {
    expect(await report('', 'link2')).toMatchObject({
      clicksByUtmMedium: { email: 4 },
      clicksByUtmSource: { mail: 2, old: 1 },
    });
  });

  it('campaigns stay the same when days become months and are deleted', async () => {
    const found = await findVisibleLink(openDb(env.DB), 'link1', { id: owner.id, role: 'user' });
    if (found === undefined) throw new Error('no link');
    // More than seven months later all days of an earlier period are in months, however few they
    // are.
    const later = now + 215 * DAY_MS;
    const read = async () => {
      const { report: one } = await buildReport(openDb(env.DB), found, {
        period: periodOf({ range: 'all' }, later),
        origins: HOP,
        now: later,
      });
      return [one.analytics.qrScans, one.analytics.clicksByUtmSource, one.analytics.totalClicks];
    };
    const before = await read();
    await closeMonths(env, later);
    const { closed = 0 } =
      (await findVisibleLink(openDb(env.DB), 'link1', { id: owner.id, role: 'user' })) ?? {};
    expect(closed).toBeGreaterThan(0);
    found.closed = closed;
    expect(await read()).toEqual(before);
    expect(before).toEqual([3, { mail: 2, old: 1 }, 4]);
  });

  it('scans and UTM values are in the exports and in the public API', async () => {
    const csv = await call('/api/analytics/link1/export?format=csv', { headers: owner.headers });
    const text = await csv.text();
    for (const line of [
      '"qr_scans","","3",',
      '"utm_source","mail","2",',
      '"utm_campaign","spring","1",',
    ])
      expect(text).toContain(line);
    const holder = await makeKey({ person: owner });
    const answer = await send(
      holder,
      `GET /links/${await publicIdOf(1)}/analytics?range=all&dimensions=utmSource,utmMedium`,
    );
    expect(await answer.json<LinkAnalytics>()).toMatchObject({
      qrScans: 3,
      dimensions: {
        utmSource: [
          { value: 'mail', clicks: 2 },
          { value: 'old', clicks: 1 },
        ],
        utmMedium: [{ value: 'cpc', clicks: 1 }],
      },
    });
  });

  it('Free accounts see scans, and only Premium shows UTM values', async () => {
    await env.DB.prepare("UPDATE subscriptions SET plan = 'free' WHERE user_id = ?1")
      .bind(owner.id)
      .run();
    const { analytics } = await (
      await call('/api/analytics/link1', { headers: owner.headers })
    ).json<AnalyticsResponse>();
    expect(analytics.qrScans).toBe(3);
    expect(Object.keys(analytics).filter((name) => name.includes('Utm'))).toEqual([]);
  });
});
