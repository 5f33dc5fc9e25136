import type { ReactNode } from 'react';
import { plural } from '#contract/language.ts';
import type { CountsByName, FilteredReport, RecentClick } from '#contract/reports/analytics.ts';
import {
  canFilterBy,
  formatFilter,
  type Filter,
  type FilterDimension,
} from '#contract/reports/report-filter.ts';
import { NO_CLICKS_IN_RANGE } from '#web/features/analytics/metrics.ts';
import type { Filtering } from './filters.ts';
import { NoRows, type CardView } from './grid-card.tsx';
import type { RankedRow } from './ranked-list.tsx';
import { ROWS_SHOWN, TopRows } from './ranked-lists.tsx';

/**
 * The counts that the cards show. A member is absent if it is not part of the plan, and null if it
 * is not stored together with the filter.
 */
export type CardCounts = Partial<
  Omit<FilteredReport['analytics'], 'recentClicks' | 'qrScans' | 'totalClicks'>
> & { totalClicks: number; qrScans?: number | null };

/** The recent clicks that match the filter. `of` is how many were searched. */
export type ClickSample = { clicks: readonly RecentClick[]; of: number };

export type CardProps = {
  analytics: CardCounts;
  /** Null on a page that cannot be filtered. */
  filtering: Filtering | null;
  /** The clicks that answer what the counts cannot. Null without a filter. */
  sample: ClickSample | null;
};

export const rowOf = (
  filtering: Filtering | null,
  own: Filter,
  clicks: number,
  look: Pick<RankedRow, 'text' | 'icon' | 'detail'>,
): RankedRow => ({
  ...look,
  key: own.value,
  clicks,
  chosen: filtering?.filters.some((filter) => formatFilter(filter) === formatFilter(own)) ?? false,
  onChoose: filtering !== null && canFilterBy(own.value) ? () => filtering.toggle(own) : null,
});

/** Returns the entries of `counts`, most clicks first. Ties are ordered by name. */
export const rankCounts = (counts: CountsByName) =>
  Object.entries(counts)
    .map(([name, clicks]) => ({ name, clicks }))
    .sort((a, b) => b.clicks - a.clicks || a.name.localeCompare(b.name));

export function listView(
  name: string,
  rows: readonly RankedRow[] | null,
  total: number,
  { title, empty = NO_CLICKS_IN_RANGE, shown = ROWS_SHOWN }: ListLook,
): CardView {
  return {
    name,
    // One more row for the button that shows all of them.
    rows: Math.min(rows?.length ?? 0, shown + 1),
    content:
      rows === null ? null : rows.length === 0 ? (
        <NoRows>{empty}</NoRows>
      ) : (
        <TopRows rows={rows} total={total} title={title} shown={shown} />
      ),
  };
}

/** `title` names the rows: 'Countries'. `shown` is how many of them the card shows. */
type ListLook = { title: string; empty?: string; shown?: number };

/**
 * Returns a view of counts. Without counts it shows the matching recent clicks, by the value that
 * `readClick` returns. Without a `dimension`, its rows do not filter.
 */
export function countsView(
  { analytics, filtering, sample }: CardProps,
  name: string,
  {
    counts,
    dimension,
    readClick,
    look = (text) => ({ text }),
    ...list
  }: ListLook & {
    counts: CountsByName | null | undefined;
    dimension: FilterDimension | null;
    readClick?: (click: RecentClick) => string | undefined;
    look?: (name: string) => { text: string; icon?: ReactNode; detail?: string };
  },
): CardView {
  const sampled = counts == null && readClick !== undefined ? tally(sample, readClick) : null;
  const used = counts ?? sampled?.counts ?? null;
  const rows =
    used &&
    rankCounts(used).map(({ name: value, clicks }) =>
      dimension === null
        ? Object.assign({ key: value, clicks, chosen: false, onChoose: null }, look(value))
        : rowOf(filtering, { dimension, value }, clicks, look(value)),
    );
  return {
    ...listView(name, rows, sampled?.total ?? analytics.totalClicks, list),
    ...(sampled && { note: sampled.note }),
  };
}

function tally(
  sample: ClickSample | null,
  readClick: (click: RecentClick) => string | undefined,
): { counts: CountsByName; total: number; note: string } | null {
  const counts: CountsByName = {};
  const values = sample?.clicks.map(readClick).filter((value) => value !== undefined) ?? [];
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return sample === null || values.length === 0
    ? null
    : { counts, total: values.length, note: describeSample(sample) };
}

export const describeSample = ({ clicks, of }: ClickSample): string =>
  `${clicks.length} of the last ${plural(of, 'click')}`;
