import type { AnalyticsResponse, Range } from '#contract/analytics.ts';
import { DAY_MS } from '#contract/time.ts';
import { dayNumber, oldestDayKept, startOfDay } from '#worker/clicks/periods.ts';
import type { Db } from '#worker/db/client.ts';
import { buildDimensionPanels, buildTimePanels, readRecentClicks } from './panels.ts';
import { findLink, readLinkCounts, type LinkRow } from './store.ts';

const RANGE_DAYS: Readonly<Record<Exclude<Range, 'all'>, number>> = { '7d': 7, '30d': 30, '90d': 90 };

/**
 * The link with this code if the viewer may see its clicks: its owner may, and so may an administrator
 * (docs/decisions.md#d3). Undefined for any other reason, so that the caller cannot reveal which links exist.
 */
export async function findVisibleLink(
  db: Db,
  code: string,
  viewer: { id: string; role: 'user' | 'admin' },
): Promise<LinkRow | undefined> {
  const found = await findLink(db, code);
  if (found === undefined || viewer.role === 'admin') return found;
  return found.link.user_id === viewer.id && found.link.status !== 'deleted' ? found : undefined;
}

/**
 * The ETag of a report. Every click changes a total, every edit of the link changes its version, and time alone changes a
 * report only from one day to the next. A page that polls therefore costs two rows read per request.
 */
export function reportETag({ link, totals }: LinkRow, range: Range, now: number): string {
  const figures = totals === null ? [] : [totals.human, totals.bot, totals.prefetch, totals.visitors];
  return `"${[range, dayNumber(now), link.id, link.version, ...figures].join('.')}"`;
}

/** Builds the report of one link. The rows read depend on the number of hours, days and values, not on the number of clicks. */
export async function buildReport(
  db: Db,
  { link }: Pick<LinkRow, 'link'>,
  range: Range,
  shortOrigin: string,
  now: number,
): Promise<{ report: AnalyticsResponse; rowsRead: number }> {
  const from = range === 'all' ? 0 : startOfDay(now) - (RANGE_DAYS[range] - 1) * DAY_MS;
  const { totals, periods, dims, rowsRead } = await readLinkCounts(db, link.id, { from, oldestDay: oldestDayKept(now) });
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
