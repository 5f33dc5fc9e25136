import * as z from 'zod/mini';
import type { CountsByName, FullReport, RecentClick } from '#contract/analytics.ts';
import { KEEP_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Dim } from '#worker/clicks/fold/counts.ts';
import {
  oldestDayKept,
  oldestHourKept,
  startOfDay,
  startOfMonth,
  utcDate,
} from '#contract/periods.ts';
import { VALUES_MAX, type DimRow, type PeriodRow } from './store.ts';

/**
 * The panels by date and hour. Days before `oldestDayKept` are shown as months, and hours before
 * `oldestHourKept` are not shown, even if no job has rolled them up yet. A report therefore does
 * not change when jobs run.
 */
export function buildTimePanels(periods: readonly PeriodRow[], now: number) {
  const sums = { human: 0, bot: 0, prefetch: 0, visitors: 0, scans: 0 };
  const dates = new Map<number, Tally>();
  const hours = new Map<number, Tally>();
  const days = new Set<number>();
  for (const row of periods) {
    sums.human += row.human;
    sums.bot += row.bot;
    sums.prefetch += row.prefetch;
    sums.visitors += row.visitors;
    sums.scans += row.scans;
    if (row.human === 0) continue;
    days.add(startOfDay(row.at));
    if (row.grain === 'h' && row.at >= oldestHourKept(now)) add(hours, row.at, row);
    const date = row.at < oldestDayKept(now) ? startOfMonth(row.at) : startOfDay(row.at);
    add(dates, date, row);
  }
  return {
    sums,
    activeDays: days.size,
    dates: {
      clicksByDate: countsOf(dates, 'human', utcDate),
      visitorsByDate: countsOf(dates, 'visitors', utcDate),
    },
    hours: {
      clicksByHour: countsOf(hours, 'human', String),
      visitorsByHour: countsOf(hours, 'visitors', String),
    },
  };
}

type Tally = Pick<PeriodRow, 'human' | 'visitors'>;

function add(sums: Map<number, Tally>, at: number, { human, visitors }: Tally): void {
  const before = sums.get(at);
  sums.set(at, {
    human: human + (before?.human ?? 0),
    visitors: visitors + (before?.visitors ?? 0),
  });
}

/** One figure by period, in chronological order, without periods in which it is 0. */
const countsOf = (
  sums: ReadonlyMap<number, Tally>,
  figure: keyof Tally,
  nameOf: (at: number) => string,
): CountsByName =>
  Object.fromEntries(
    [...sums]
      .filter(([, tally]) => tally[figure] > 0)
      .sort(([a], [b]) => a - b)
      .map(([at, tally]) => [nameOf(at), tally[figure]]),
  );

/** Counts by time (ms) of a day or month as counts by 'YYYY-MM-DD', ascending. */
export const toDates = (counts: ReadonlyMap<number, number>): CountsByName =>
  Object.fromEntries([...counts].sort(([a], [b]) => a - b).map(([at, n]) => [utcDate(at), n]));

/** The parts of a stored value (see DIM_CAPS), by the names of the panels. */
export function parsePlace(val: string) {
  const [country = '', region = '', city = ''] = val.split('|');
  return { country: country || 'Unknown', region, city: city || 'Unknown' };
}
export function parseAgent(val: string) {
  const [device = 'Other', browser = 'Other', os = 'Other'] = val.split('|');
  return { device, browser, os };
}
export const parseReferrer = (val: string): string => val || 'Direct';
export function parseUtm(val: string) {
  const [source = '', medium = '', campaign = ''] = val.split('|');
  return { source, medium, campaign };
}

/** The panels by place, device, browser, system and referrer, each in descending order. */
export function buildDimensionPanels(rows: readonly DimRow[]) {
  const rowsOf = (kind: DimRow['kind']) => rows.filter((row) => row.kind === kind);
  const agents = rowsOf('agent').map(({ val, n }) => ({ n, agent: parseAgent(val) }));
  const sumByPart = (part: keyof ReturnType<typeof parseAgent>) =>
    rank(agents.map(({ agent, n }) => [agent[part], n]));
  const refs = rowsOf('ref').map(({ val, n }): [string, number] => [parseReferrer(val), n]);
  const tagged = rowsOf('utm').map(({ val, n }) => ({ n, utm: parseUtm(val) }));
  const sumByUtm = (part: keyof ReturnType<typeof parseUtm>) =>
    rank(
      tagged.flatMap(({ utm, n }): [string, number][] =>
        utm[part] === '' ? [] : [[utm[part], n]],
      ),
    );
  const unlisted = (rowsOf('refs')[0]?.n ?? 0) - refs.reduce((sum, [, n]) => sum + n, 0);
  return {
    clicksByCountry: rank(rowsOf('country').map(({ val, n }) => [val || 'Unknown', n])),
    clicksByCity: rowsOf('place').map(({ val, n }) => {
      const { country, region, city } = parsePlace(val);
      return { country, region, city, clicks: n };
    }),
    clicksByDevice: sumByPart('device'),
    clicksByBrowser: sumByPart('browser'),
    clicksByOs: sumByPart('os'),
    clicksByReferrer: rank(unlisted > 0 ? [...refs, ['Other', unlisted]] : refs),
    clicksByUtmSource: sumByUtm('source'),
    clicksByUtmMedium: sumByUtm('medium'),
    clicksByUtmCampaign: sumByUtm('campaign'),
  } satisfies Partial<FullReport['analytics']>;
}

/**
 * Sums the counts of equal names and sorts by count, then by name. Names beyond `VALUES_MAX` are
 * summed as 'Other'.
 */
function rank(pairs: readonly (readonly [string, number])[]): CountsByName {
  const sums = new Map<string, number>();
  for (const [name, n] of pairs) sums.set(name, (sums.get(name) ?? 0) + n);
  const rows = [...sums].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const rest = rows.slice(VALUES_MAX).reduce((sum, [, n]) => sum + n, 0);
  const shown = new Map(rows.slice(0, VALUES_MAX));
  if (rest > 0) shown.set('Other', (shown.get('Other') ?? 0) + rest);
  return Object.fromEntries(shown);
}

const recentRows = z.array(z.tuple([z.number(), z.string(), z.string(), z.string()]));

/**
 * Parses `link_totals.recent`: the clicks since `from` (ms) that `keep` accepts, without those
 * older than `KEEP_RECENT_CLICKS_DAYS`.
 */
export function readRecentClicks(
  json: string,
  from: number,
  now: number,
  keep: (values: Record<Exclude<Dim, 'utm'>, string>) => boolean = () => true,
): RecentClick[] {
  const oldest = Math.max(from, startOfDay(now) - KEEP_RECENT_CLICKS_DAYS * DAY_MS);
  return recentRows
    .parse(JSON.parse(json))
    .slice(0, RECENT_CLICKS_MAX)
    .filter(([at, place, agent, ref]) => at >= oldest && keep({ place, agent, ref }))
    .map(([at, place, agent, ref]) => {
      const { country, city } = parsePlace(place);
      const { device, browser, os } = parseAgent(agent);
      return {
        clicked_at: new Date(at).toISOString(),
        country,
        city,
        device_type: device,
        browser,
        os,
        referrer: parseReferrer(ref),
      };
    });
}
