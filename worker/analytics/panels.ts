import { DAY_MS } from '#contract/time.ts';
import * as z from 'zod/mini';
import type { AnalyticsResponse, Counts, RecentClick } from '#contract/analytics.ts';
import { KEEP_RECENT_CLICKS_DAYS } from '#contract/limits.ts';
import { startOfDay, oldestDayKept, oldestHourKept, startOfMonth } from '#worker/clicks/periods.ts';
import { LIST_MAX, type DimRow, type PeriodRow } from './store.ts';

/**
 * What hours, days and months say. Days before `oldestDayKept` are shown as months and hours before `oldestHourKept` not at all,
 * whether retention has folded them or not: a report does not change when it does.
 */
export function buildTimePanels(periods: readonly PeriodRow[], now: number) {
  const sums = { human: 0, bot: 0, prefetch: 0, visitors: 0 };
  const dates = new Map<number, number>();
  const hours = new Map<number, number>();
  const days = new Set<number>();
  let monthsDays = 0;
  for (const row of periods) {
    sums.human += row.human;
    sums.bot += row.bot;
    sums.prefetch += row.prefetch;
    sums.visitors += row.visitors;
    if (row.human === 0) continue;
    if (row.grain === 'm') monthsDays += row.active_days;
    else days.add(startOfDay(row.at));
    if (row.grain === 'h' && row.at >= oldestHourKept(now)) hours.set(row.at, row.human);
    const shown = row.grain === 'm' || row.at < oldestDayKept(now) ? startOfMonth(row.at) : startOfDay(row.at);
    dates.set(shown, (dates.get(shown) ?? 0) + row.human);
  }
  const clicksByDate: Counts = {};
  for (const [at, n] of ascending(dates)) clicksByDate[new Date(at).toISOString().slice(0, 10)] = n;
  return { sums, activeDays: monthsDays + days.size, clicksByDate, clicksByHour: Object.fromEntries(ascending(hours)) };
}

const ascending = (map: ReadonlyMap<number, number>): [number, number][] => [...map].sort(([a], [b]) => a - b);

/** What places, agents and referrers say: each panel by count, biggest first. */
export function buildDimensionPanels(rows: readonly DimRow[]) {
  const of = (kind: DimRow['kind']) => rows.filter((row) => row.kind === kind);
  const agents = of('agent').map(({ val, n }) => ({ n, parts: val.split('|') }));
  const part = (i: number) => ranked(agents.map(({ parts, n }) => [parts[i] ?? 'Other', n]));
  const refs = of('ref').map(({ val, n }): [string, number] => [val || 'Direct', n]);
  const unlisted = (of('refs')[0]?.n ?? 0) - refs.reduce((sum, [, n]) => sum + n, 0);
  return {
    clicksByCountry: ranked(of('country').map(({ val, n }) => [val || 'Unknown', n])),
    clicksByCity: of('place').map(({ val, n }) => {
      const [country = '', region = '', city = ''] = val.split('|');
      return { country: country || 'Unknown', region, city: city || 'Unknown', clicks: n };
    }),
    clicksByDevice: part(0),
    clicksByBrowser: part(1),
    clicksByOs: part(2),
    clicksByReferrer: ranked(unlisted > 0 ? [...refs, ['Other', unlisted]] : refs),
  } satisfies Partial<AnalyticsResponse['analytics']>;
}

/** Adds up equal names and orders by count; ties by name. More than `LIST_MAX` names end in 'Other'. */
function ranked(pairs: readonly (readonly [string, number])[]): Counts {
  const sums = new Map<string, number>();
  for (const [name, n] of pairs) sums.set(name, (sums.get(name) ?? 0) + n);
  const rows = [...sums].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const rest = rows.slice(LIST_MAX).reduce((sum, [, n]) => sum + n, 0);
  const shown = new Map(rows.slice(0, LIST_MAX));
  if (rest > 0) shown.set('Other', (shown.get('Other') ?? 0) + rest);
  return Object.fromEntries(shown);
}

const recentRows = z.array(z.tuple([z.number(), z.string(), z.string(), z.string()]));

/** The last clicks of `link_totals.recent` since `from`, none of them older than they may be kept. */
export function readRecentClicks(json: string, from: number, now: number): RecentClick[] {
  const since = Math.max(from, startOfDay(now) - KEEP_RECENT_CLICKS_DAYS * DAY_MS);
  return recentRows
    .parse(JSON.parse(json))
    .filter(([at]) => at >= since)
    .map(([at, place, agent, ref]) => {
      const [country = '', , city = ''] = place.split('|');
      const [device = '', browser = '', os = ''] = agent.split('|');
      return {
        clicked_at: new Date(at).toISOString(),
        country: country || 'Unknown',
        city: city || 'Unknown',
        device_type: device,
        browser,
        os,
        referrer: ref || 'Direct',
      };
    });
}
