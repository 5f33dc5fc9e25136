import type { CountsByName, FilteredReport } from '#contract/reports/analytics.ts';
import {
  canCombine,
  GROUP_OF,
  isPaired,
  PAIRED,
  type Filter,
  type PairedDimension,
} from '#contract/reports/report-filter.ts';
import { add, noCounts, type Part, type Tally } from '#worker/clicks/fold/counts.ts';
import { countPairs, PAIR_OF, type PairCounts } from './count-pairs.ts';
import { valueOf } from './filter-values.ts';
import { buildDimensionPanels, rank, toDates } from './panels.ts';
import type { DatedCounts } from './read-parts.ts';

type Members = Omit<FilteredReport['analytics'], 'recentClicks'>;
export type Answers = {
  /** What the stored counts answer. Other members are not counted together with the filters. */
  members: Partial<Members>;
  /** The members whose pairs were not counted yet on any day. */
  notYet: ReadonlySet<keyof Members>;
  /** The first day (ms) of the pairs in `members`, or 0. */
  since: number;
  unlisted: number;
};

const PANEL_OF = { device: 'clicksByDevice', referrer: 'clicksByReferrer' } as const;

/** The dimension whose pairs with the country the two filters are. */
const pairOf = (filters: readonly Filter[]): PairedDimension | undefined =>
  filters.length === 2
    ? filters.map(({ dimension }) => dimension).find((dimension) => isPaired(dimension))
    : undefined;

/** The pairs that one filter can be answered from: of a country all, otherwise those with countries. */
const pairsFor = ({ dimension }: Filter): readonly PairedDimension[] =>
  dimension === 'country' ? PAIRED : isPaired(dimension) ? [dimension] : [];

const isOneGroup = (filters: readonly Filter[]): boolean =>
  new Set(filters.map(({ dimension }) => GROUP_OF[dimension])).size === 1;

/** The parts of the counts that answer the filters. */
export function partsFor(filters: readonly Filter[]): Part[] {
  const [first] = filters;
  const pair = isOneGroup(filters) ? undefined : pairOf(filters);
  const paired =
    pair !== undefined
      ? [pair]
      : first !== undefined && filters.length === 1
        ? pairsFor(first)
        : [];
  const groups = filters.map(({ dimension }) => GROUP_OF[dimension]);
  if (paired.length > 0) groups.push('place', ...paired.map((dimension) => GROUP_OF[dimension]));
  return [...new Set<Part>([...groups, ...paired.map((dimension) => PAIR_OF[dimension])])];
}

/** Answers what is counted together with all filters. `oldestDay` is the first day kept by day, in ms. */
export function answerFilters(
  rows: readonly DatedCounts[],
  filters: readonly Filter[],
  oldestDay: number,
): Answers {
  const [first, second] = filters;
  if (first === undefined || (second && !canCombine(first.dimension, second.dimension)))
    return { members: {}, notYet: new Set(), since: 0, unlisted: 0 };
  if (isOneGroup(filters)) return answerGroup(rows, filters, first, oldestDay);
  const dimension = pairOf(filters) ?? 'device';
  return answerPair(countPairs(rows, dimension, filters, oldestDay), filters, dimension, oldestDay);
}

/** Filters of one group of counts: its own panels, and for a single filter those from pairs. */
function answerGroup(
  rows: readonly DatedCounts[],
  filters: readonly Filter[],
  first: Filter,
  oldestDay: number,
): Answers {
  const group = GROUP_OF[first.dimension];
  const matching: Tally = new Map();
  const dates = new Map<number, number>();
  for (const { at, counts } of rows)
    for (const [val, n] of counts[group]) {
      if (!filters.every(({ dimension, value }) => valueOf(dimension, val) === value)) continue;
      add(matching, val, n);
      dates.set(at, (dates.get(at) ?? 0) + n);
    }
  const panels = buildDimensionPanels([{ ...noCounts(), [group]: matching }]);
  const { clicksByCountry, clicksByCity, clicksByReferrer } = panels;
  const { clicksByDevice, clicksByBrowser, clicksByOs } = panels;
  const own: Record<typeof group, Partial<Members>> = {
    place: { clicksByCountry, clicksByCity },
    agent: { clicksByDevice, clicksByBrowser, clicksByOs },
    ref: { clicksByReferrer },
  };
  const answers = { ...figuresOf(dates, oldestDay), ...own[group] };
  const notYet = new Set<keyof Members>();
  let since = 0;
  for (const dimension of filters.length === 1 ? pairsFor(first) : []) {
    const panel = first.dimension === 'country' ? PANEL_OF[dimension] : 'clicksByCountry';
    const pairs = countPairs(rows, dimension, filters, oldestDay);
    if (pairs === null) notYet.add(panel);
    else {
      answers[panel] = rank([...pairs.byName]);
      since = Math.max(since, pairs.since ?? 0);
    }
  }
  return { members: answers, notYet, since, unlisted: 0 };
}

/** A country together with a device or a referrer. */
function answerPair(
  pairs: PairCounts | null,
  filters: readonly Filter[],
  dimension: PairedDimension,
  oldestDay: number,
): Answers {
  if (pairs === null) {
    const members = ['totalClicks', 'activeDays', 'clicksByDate', 'clicksByCountry'] as const;
    const notYet = new Set<keyof Members>([...members, PANEL_OF[dimension]]);
    return { members: {}, notYet, since: 0, unlisted: 0 };
  }
  const figures = figuresOf(pairs.dates, oldestDay);
  const panelOf = (name: 'country' | PairedDimension): CountsByName => {
    const value = filters.find((filter) => filter.dimension === name)?.value;
    return value === undefined || figures.totalClicks === 0 ? {} : { [value]: figures.totalClicks };
  };
  const members: Partial<Members> = {
    ...figures,
    clicksByCountry: panelOf('country'),
    [PANEL_OF[dimension]]: panelOf(dimension),
  };
  return { members, notYet: new Set(), since: pairs.since ?? 0, unlisted: pairs.unlisted };
}

function figuresOf(dates: ReadonlyMap<number, number>, oldestDay: number) {
  const members: Partial<Members> & { totalClicks: number } = {
    totalClicks: [...dates.values()].reduce((sum, n) => sum + n, 0),
    // Days that are stored only as a month cannot be counted for a single value.
    activeDays: [...dates.keys()].some((at) => at < oldestDay) ? null : dates.size,
    clicksByDate: toDates(dates),
  };
  return members;
}
