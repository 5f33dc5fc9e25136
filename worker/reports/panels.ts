import * as z from 'zod/mini';
import type { CountsByName, FullReport, RecentClick } from '#contract/reports/analytics.ts';
import { KEEP_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { sourceOf } from '#contract/reports/sources.ts';
import { DAY_MS } from '#contract/time.ts';
import {
  add,
  addSums,
  DIMS,
  noCounts,
  noSums,
  type Dim,
  type Tally,
} from '#worker/clicks/fold/counts.ts';
import {
  oldestDayKept,
  oldestHourKept,
  startOfDay,
  startOfMonth,
  utcDate,
} from '#contract/reports/periods.ts';
import type { PeriodRow } from './store.ts';

/** The most values that a report lists of a dimension that has no natural bound. */
const VALUES_MAX = 100;

/**
 * The panels by date and hour. Days before `oldestDayKept` are shown as months, and hours before
 * `oldestHourKept` are not shown, even if no job has rolled them up yet. A report therefore does
 * not change when jobs run.
 */
export function buildTimePanels(periods: readonly PeriodRow[], now: number) {
  const sums = { ...noSums(), scans: 0 };
  const dates = new Map<number, Clicks>();
  const hours = new Map<number, Clicks>();
  const days = new Set<number>();
  for (const row of periods) {
    addSums(sums, row);
    sums.scans += row.scans;
    if (row.human === 0) continue;
    days.add(startOfDay(row.at));
    if (row.grain === 'h' && row.at >= oldestHourKept(now)) addClicks(hours, row.at, row);
    const date = row.at < oldestDayKept(now) ? startOfMonth(row.at) : startOfDay(row.at);
    addClicks(dates, date, row);
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

type Clicks = Pick<PeriodRow, 'human' | 'visitors'>;

function addClicks(sums: Map<number, Clicks>, at: number, { human, visitors }: Clicks): void {
  const before = sums.get(at);
  sums.set(at, {
    human: human + (before?.human ?? 0),
    visitors: visitors + (before?.visitors ?? 0),
  });
}

/** One figure by period, in chronological order, without periods in which it is 0. */
const countsOf = (
  sums: ReadonlyMap<number, Clicks>,
  figure: keyof Clicks,
  nameOf: (at: number) => string,
): CountsByName =>
  Object.fromEntries(
    [...sums]
      .filter(([, clicks]) => clicks[figure] > 0)
      .sort(([a], [b]) => a - b)
      .map(([at, clicks]) => [nameOf(at), clicks[figure]]),
  );

/** Counts by time (ms) of a day or month as counts by 'YYYY-MM-DD', ascending. */
export const toDates = (counts: ReadonlyMap<number, number>): CountsByName =>
  Object.fromEntries([...counts].sort(([a], [b]) => a - b).map(([at, n]) => [utcDate(at), n]));

/** The parts of a stored value (see DIM_CAPS), by the names of the panels. */
export function parsePlace(val: string) {
  const [country = '', region = '', city = ''] = val.split('|');
  return { country: country || 'Unknown', region, city: city || 'Unknown' };
}
/** A city with its region and country, where these are known. */
export const cityName = ({ city, region, country }: ReturnType<typeof parsePlace>): string =>
  [city, region, country].filter((part) => part !== '').join(', ');
export function parseAgent(val: string) {
  const [device = 'Other', browser = 'Other', os = 'Other'] = val.split('|');
  return { device, browser, os };
}
export const parseReferrer = (val: string): string => sourceOf(val) || 'Direct';
export function parseUtm(val: string) {
  const [source = '', medium = '', campaign = ''] = val.split('|');
  return { source, medium, campaign };
}

/** The panels by place, device, browser, system, referrer and UTM value, each in descending order. */
export function buildDimensionPanels(periods: readonly Readonly<Record<Dim, Tally>>[]) {
  const { place, agent, ref, utm } = sumDims(periods);
  const rankBy = (tally: Tally, nameOf: (val: string) => string) =>
    rank([...tally].map(([val, n]) => [nameOf(val), n]));
  const rankUtm = (part: keyof ReturnType<typeof parseUtm>) =>
    rank(
      [...utm].map(([val, n]) => [parseUtm(val)[part], n] as const).filter(([name]) => name !== ''),
    );
  return {
    clicksByCountry: rankBy(place, (val) => parsePlace(val).country),
    clicksByCity: largest(place).map(([val, clicks]) => Object.assign(parsePlace(val), { clicks })),
    clicksByDevice: rankBy(agent, (val) => parseAgent(val).device),
    clicksByBrowser: rankBy(agent, (val) => parseAgent(val).browser),
    clicksByOs: rankBy(agent, (val) => parseAgent(val).os),
    clicksByReferrer: rankBy(ref, parseReferrer),
    clicksByUtmSource: rankUtm('source'),
    clicksByUtmMedium: rankUtm('medium'),
    clicksByUtmCampaign: rankUtm('campaign'),
  } satisfies Partial<FullReport['analytics']>;
}

function sumDims(periods: readonly Readonly<Record<Dim, Tally>>[]): Record<Dim, Tally> {
  const sums = noCounts();
  for (const period of periods)
    for (const dim of DIMS) for (const [val, n] of period[dim]) add(sums[dim], val, n);
  return sums;
}

const inOrder = (tally: Tally): [string, number][] =>
  [...tally].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));

const largest = (tally: Tally): [string, number][] => inOrder(tally).slice(0, VALUES_MAX);

/**
 * Sums the counts of equal names and sorts by count, then by name. Names beyond `VALUES_MAX` are
 * summed as 'Other'.
 */
export function rank(pairs: readonly (readonly [string, number])[]): CountsByName {
  const sums: Tally = new Map();
  for (const [name, n] of pairs) add(sums, name, n);
  const rows = inOrder(sums);
  const rest = rows.slice(VALUES_MAX).reduce((sum, [, n]) => sum + n, 0);
  const shown = new Map(rows.slice(0, VALUES_MAX));
  if (rest > 0) add(shown, 'Other', rest);
  return Object.fromEntries(shown);
}

const recentRows = z.array(z.tuple([z.number(), z.string(), z.string(), z.string()]));

/**
 * Parses `link_totals.recent`: the clicks from `from` to `to` (ms) that `keep` accepts, without
 * those older than `KEEP_RECENT_CLICKS_DAYS`.
 */
export function readRecentClicks(
  json: string,
  { from, to }: { from: number; to: number },
  now: number,
  keep: (values: Record<Exclude<Dim, 'utm'>, string>) => boolean = () => true,
): RecentClick[] {
  const oldest = Math.max(from, startOfDay(now) - KEEP_RECENT_CLICKS_DAYS * DAY_MS);
  return recentRows
    .parse(JSON.parse(json))
    .slice(0, RECENT_CLICKS_MAX)
    .filter(([at, place, agent, ref]) => at >= oldest && at < to && keep({ place, agent, ref }))
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
