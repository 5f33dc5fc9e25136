import { useCallback, useMemo } from 'react';
import { useQueryParams } from '#web/shared/use-query-params.ts';
import { MY_LINKS_SORTS, MY_LINKS_STATUSES } from '#contract/links.ts';
import { DAY_MS } from '#contract/time.ts';

/** The URL parameters for the list's search, filters and order. `from` and `to` are dates. */
export const FILTER_NAMES = [
  'q',
  'status',
  'tag',
  'favorite',
  'host',
  'from',
  'to',
  'min_clicks',
  'max_clicks',
  'import',
  'sort',
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
export type ListFilters = Partial<Record<FilterName, string>>;

export const SORT_LABELS: Readonly<Record<(typeof MY_LINKS_SORTS)[number], string>> = {
  '-created': 'Newest first',
  created: 'Oldest first',
  '-clicks': 'Most clicks',
  clicks: 'Fewest clicks',
  '-last_click': 'Clicked last',
  last_click: 'Longest without a click',
  code: 'Code, A to Z',
  '-code': 'Code, Z to A',
};
export const STATUS_LABELS: Readonly<Record<(typeof MY_LINKS_STATUSES)[number], string>> = {
  active: 'Active',
  disabled: 'Disabled',
  expired: 'Expired',
  archived: 'Archived',
  trash: 'Trash',
};

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
const isCount = (text: string): boolean => /^\d{1,12}$/.test(text);
const VALID: Partial<Record<FilterName, (text: string) => boolean>> = {
  status: (text) => Object.hasOwn(STATUS_LABELS, text),
  sort: (text) => Object.hasOwn(SORT_LABELS, text),
  favorite: (text) => text === '1',
  from: isDay,
  to: isDay,
  min_clicks: isCount,
  max_clicks: isCount,
  import: (text) => /^[\w-]{16,64}$/.test(text),
};

/** Reads the filters from the URL and ignores values that the API would reject. */
export function readFilters(params: URLSearchParams): ListFilters {
  const filters: ListFilters = {};
  for (const name of FILTER_NAMES) {
    const value = (params.get(name) ?? '').trim().slice(0, 100);
    if (value !== '' && (VALID[name]?.(value) ?? true)) filters[name] = value;
  }
  return filters;
}

/** Returns the query for GET /api/my-urls. Days are UTC, and the last day is included. */
export function toApiQuery(filters: ListFilters): string {
  const query = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const value = filters[name];
    if (value === undefined) continue;
    if (name === 'from') query.set(name, `${value}T00:00:00Z`);
    else if (name === 'to') query.set(name, new Date(Date.parse(value) + DAY_MS).toISOString());
    else query.set(name, value);
  }
  return query.toString();
}

/** Counts the active filters, without search and order. */
export const countFilters = ({ q: _q, sort: _sort, ...filters }: ListFilters): number =>
  Object.keys(filters).length;

/** Returns the filters in the URL. `set` changes some of them; '' removes one. */
export function useLinkFilters() {
  const [params, setParams] = useQueryParams();
  const filters = useMemo(() => readFilters(params), [params]);
  const set = useCallback((change: ListFilters) => setParams(change), [setParams]);
  const clear = useCallback(
    () =>
      set(
        Object.fromEntries(
          FILTER_NAMES.filter((name) => name !== 'sort').map((name) => [name, '']),
        ),
      ),
    [set],
  );
  return { filters, set, clear };
}
