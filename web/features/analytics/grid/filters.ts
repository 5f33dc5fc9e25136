import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import type { AnalyticsResponse, FilteredReport } from '#contract/reports/analytics.ts';
import {
  canCombine,
  formatFilter,
  parseFilter,
  type Filter,
  type FilterDimension,
} from '#contract/reports/report-filter.ts';
import { browserName, systemName } from '#web/features/analytics/names/agent-names.ts';
import { sourceSite } from '#web/features/analytics/names/sources.ts';
import { REFETCH_INTERVAL_MS } from '#web/features/analytics/queries.ts';
import { searchOf, selectionOf } from '#web/features/analytics/range.ts';
import { apiIfChanged, type WithETag } from '#web/shared/api/api.ts';
import { countryName } from '#web/shared/texts/country-name.ts';

/** The first filter and the second, in the address and in a request. */
const PARAMETERS = ['filter', 'and'] as const;

export type Filtering = {
  /** None, one, or two of different dimensions. */
  filters: readonly Filter[];
  /** The report of the matching clicks. Null without a filter, and until it has loaded. */
  shown: FilteredReport | null;
  /** True while the filtered report loads and another one is still shown. */
  stale: boolean;
  error: Error | null;
  retry: () => void;
  retrying: boolean;
  clear: () => void;
  /** Adds a filter, or removes it. */
  toggle: (next: Filter) => void;
};

export function useFilters(report: Pick<AnalyticsResponse, 'url' | 'range' | 'period'>): Filtering {
  const [query, setQuery] = useSearchParams();
  const queries = useQueryClient();
  const filters = parseFilters(query);
  const code = report.url.short_code;
  const range = searchOf(selectionOf(report));
  const text = new URLSearchParams(
    filters.map((filter, index) => [PARAMETERS[index] ?? '', formatFilter(filter)]),
  ).toString();
  const queryKey = ['analytics', code, range, text];
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey,
    enabled: filters.length > 0,
    queryFn: ({ signal }) =>
      apiIfChanged<FilteredReport>(
        `/api/analytics/${encodeURIComponent(code)}?${range}&${text}`,
        queries.getQueryData<WithETag<FilteredReport>>(queryKey),
        { signal },
      ),
    select: ({ body }) => body,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
    retry: 1,
  });
  const set = (next: readonly Filter[]): void =>
    setQuery((before) => {
      const after = new URLSearchParams(before);
      for (const [index, name] of PARAMETERS.entries()) {
        const filter = next[index];
        if (filter === undefined) after.delete(name);
        else after.set(name, formatFilter(filter));
      }
      return after;
    });
  const isFiltered = filters.length > 0;
  return {
    filters,
    shown: isFiltered ? (data ?? null) : null,
    stale: isFiltered && error === null && (data === undefined || isPlaceholderData),
    error: isFiltered ? error : null,
    retry: () => void refetch(),
    retrying: isFetching,
    clear: () => set([]),
    toggle: (next) => set(withFilter(filters, next)),
  };
}

function parseFilters(query: URLSearchParams): Filter[] {
  const [first, second] = PARAMETERS.map((name) => parseFilter(query.get(name) ?? ''));
  if (first == null) return [];
  return second == null || second.dimension === first.dimension ? [first] : [first, second];
}

/**
 * Returns the filters after a row was pressed. A filter that was set is removed. A new one replaces
 * those with which it is not counted together, and at most one of the others stays.
 */
export function withFilter(filters: readonly Filter[], next: Filter): Filter[] {
  const isNext = (filter: Filter): boolean => formatFilter(filter) === formatFilter(next);
  if (filters.some(isNext)) return filters.filter((filter) => !isNext(filter));
  const other = filters.find(
    ({ dimension }) => dimension !== next.dimension && canCombine(dimension, next.dimension),
  );
  return other === undefined ? [next] : [other, next];
}

const DIMENSIONS: Readonly<Record<FilterDimension, string>> = {
  country: 'Country',
  city: 'City',
  device: 'Device',
  browser: 'Browser',
  os: 'System',
  referrer: 'Source',
};

/** Returns 'Country: India'. */
export const describeFilter = (filter: Filter): string =>
  `${DIMENSIONS[filter.dimension]}: ${describeValue(filter)}`;

function describeValue({ dimension, value }: Filter): string {
  if (dimension === 'country') return countryName(value);
  if (dimension === 'browser') return browserName(value);
  if (dimension === 'os') return systemName(value);
  if (dimension === 'referrer') return sourceSite(value).name;
  if (dimension === 'device') return value;
  const [country = '', , city = ''] = value.split('|');
  return `${city}, ${countryName(country)}`;
}

export const nameFilters = (filters: readonly Filter[]): string =>
  filters.map(describeFilter).join(' and ');
