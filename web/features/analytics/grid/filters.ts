import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import type { AnalyticsResponse, FilteredReport } from '#contract/analytics.ts';
import {
  formatFilter,
  parseFilter,
  type Filter,
  type FilterDimension,
} from '#contract/report-filter.ts';
import { REFETCH_INTERVAL_MS } from '#web/features/analytics/queries.ts';
import { apiIfChanged, type WithETag } from '#web/shared/api.ts';
import { countryName } from '#web/shared/country-name.ts';

const PARAMETER = 'filter';

export type Filtering = {
  filter: Filter | null;
  /** The report of the matching clicks. Null without a filter, and until it has loaded. */
  shown: FilteredReport | null;
  /** True while the filtered report loads and another one is still shown. */
  stale: boolean;
  error: Error | null;
  retry: () => void;
  retrying: boolean;
  clear: () => void;
  /** Filters by a value, or removes the filter if it already is that value. */
  toggle: (next: Filter) => void;
};

export function useFilter({ url, range }: AnalyticsResponse): Filtering {
  const [query, setQuery] = useSearchParams();
  const queries = useQueryClient();
  const filter = parseFilter(query.get(PARAMETER) ?? '');
  const text = filter === null ? '' : formatFilter(filter);
  const queryKey = ['analytics', url.short_code, range, text];
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey,
    enabled: filter !== null,
    queryFn: ({ signal }) =>
      apiIfChanged<FilteredReport>(
        `/api/analytics/${encodeURIComponent(url.short_code)}?range=${range}&${new URLSearchParams({ filter: text }).toString()}`,
        queries.getQueryData<WithETag<FilteredReport>>(queryKey),
        { signal },
      ),
    select: ({ body }) => body,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
    retry: 1,
  });
  const set = (next: Filter | null): void =>
    setQuery((before) => {
      if (next === null) before.delete(PARAMETER);
      else before.set(PARAMETER, formatFilter(next));
      return before;
    });
  return {
    filter,
    shown: filter === null ? null : (data ?? null),
    stale: filter !== null && error === null && (data === undefined || isPlaceholderData),
    error: filter === null ? null : error,
    retry: () => void refetch(),
    retrying: isFetching,
    clear: () => set(null),
    toggle: (next) => set(formatFilter(next) === text ? null : next),
  };
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
  if (dimension !== 'city') return value;
  const [country = '', , city = ''] = value.split('|');
  return `${city}, ${countryName(country)}`;
}

/** Clicks are counted in these groups. Nothing is known across groups (docs/product.md#filters). */
const GROUPS: Readonly<Record<FilterDimension, { counted: string; missing: string }>> = {
  country: { counted: 'place', missing: 'devices, sources and hours' },
  city: { counted: 'place', missing: 'devices, sources and hours' },
  device: { counted: 'device', missing: 'places, sources and hours' },
  browser: { counted: 'device', missing: 'places, sources and hours' },
  os: { counted: 'device', missing: 'places, sources and hours' },
  referrer: { counted: 'source', missing: 'places, devices and hours' },
};

/** Explains why some cards are empty under a filter. */
export function explainFilter({ dimension }: Filter): string {
  const { counted, missing } = GROUPS[dimension];
  return `Clicks are counted by ${counted} and never stored one by one, so ${missing} of these clicks are not known.`;
}
