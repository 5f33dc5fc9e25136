import { DAY_MS } from '#contract/time.ts';
import type { AnalyticsResponse, Range } from '#contract/analytics.ts';
import { startOfDay, oldestDayKept } from '#worker/clicks/periods.ts';
import type { Db } from '#worker/db/client.ts';
import { buildDimensionPanels, readRecentClicks, buildTimePanels } from './panels.ts';
import { findLink, readRollups, type LinkRow } from './store.ts';

const RANGE_DAYS: Readonly<Record<Exclude<Range, 'all'>, number>> = { '7d': 7, '30d': 30, '90d': 90 };

/** The link with this code, if `asker` may see its clicks: its owner or an admin (decision 3). Otherwise undefined, whatever the reason. */
export async function findVisibleLink(
  db: Db,
  code: string,
  asker: { id: string; role: 'user' | 'admin' },
): Promise<LinkRow | undefined> {
  const found = await findLink(db, code);
  if (found === undefined || asker.role === 'admin') return found;
  return found.link.user_id === asker.id && found.link.status !== 'deleted' ? found : undefined;
}

/**
 * Names what a report shows: it changes whenever the report may. Every click changes a total, every edit the version,
 * and the passing of time matters from day to day only. So a page that asks again and again costs two rows read.
 */
export function reportETag({ link, totals }: LinkRow, range: Range, now: number): string {
  const counted = totals === null ? [] : [totals.human, totals.bot, totals.prefetch, totals.visitors];
  return `"${[range, startOfDay(now) / DAY_MS, link.id, link.version, ...counted].join('.')}"`;
}

/** The report of one link. It reads as many rows as there are hours, days and values, however many clicks they hold. */
export async function buildReport(
  db: Db,
  { link }: Pick<LinkRow, 'link'>,
  range: Range,
  shortOrigin: string,
  now: number,
): Promise<{ report: AnalyticsResponse; rowsRead: number }> {
  const from = range === 'all' ? 0 : startOfDay(now) - (RANGE_DAYS[range] - 1) * DAY_MS;
  const { totals, periods, dims, rowsRead } = await readRollups(db, link.id, from, oldestDayKept(now));
  const { sums, ...time } = buildTimePanels(periods, now);
  const shown = range === 'all' ? totals : sums;
  const report: AnalyticsResponse = {
    url: {
      short_code: link.code,
      short_url: `${shortOrigin}/${link.code}`,
      long_url: link.target,
      created_at: new Date(link.created_at).toISOString(),
    },
    range,
    analytics: {
      totalClicks: shown.human,
      uniqueClicks: shown.visitors,
      ...time,
      ...buildDimensionPanels(dims),
      recentClicks: readRecentClicks(totals.recent, from, now),
    },
    setAside: { bots: shown.bot, prefetches: shown.prefetch },
    generatedAt: new Date(now).toISOString(),
  };
  return { report, rowsRead };
}
