import { useCallback, useMemo } from 'react';
import { config } from '#web/shared/page/config.ts';
import { domainFromAddress } from '#web/shared/link-settings/domain-choices.ts';
import { useQueryParams } from '#web/shared/page/use-query-params.ts';
import { MY_LINKS_SORTS, MY_LINKS_STATUSES } from '#contract/links/my-links.ts';
import type { ViewFilters } from '#contract/presets/views.ts';
import { DAY_MS } from '#contract/time.ts';
import type { HealthState } from '#contract/links/watch.ts';

/** The URL parameters for the list's search, filters and order. `from` and `to` are dates. */
export const FILTER_NAMES = [
  'q',
  'status',
  'tag',
  'favorite',
  'health',
  'host',
  'domain',
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

export const HEALTH_LABELS: Readonly<Record<HealthState, string>> = {
  dead: 'Unreachable',
  suspect: 'Failing',
  unclear: 'Unclear',
  ok: 'Working',
};

/** The menu *Filter*, in its order. Each kind is a chip that sets the parameters in `names`. */
export const KINDS = {
  tag: { label: 'Tag', names: ['tag'] },
  status: { label: 'Status', names: ['status'] },
  favorite: { label: 'Favorites', names: ['favorite'] },
  host: { label: 'Destination', names: ['host'] },
  domain: { label: 'Domain', names: ['domain'] },
  health: { label: 'Destination check', names: ['health'] },
  created: { label: 'Created', names: ['from', 'to'] },
  clicks: { label: 'Clicks', names: ['min_clicks', 'max_clicks'] },
  import: { label: 'One import', names: ['import'] },
} as const satisfies Record<string, { label: string; names: readonly FilterName[] }>;
export type FilterKind = keyof typeof KINDS;
const KIND_NAMES: readonly FilterKind[] = [
  'tag',
  'status',
  'favorite',
  'host',
  'domain',
  'health',
  'created',
  'clicks',
  'import',
];
/**
 * The kinds in the menu. Only the page of an import links to its list, and a choice of domains needs
 * several.
 */
export const chosenKinds = (): FilterKind[] =>
  KIND_NAMES.filter((kind) => kind !== 'import' && (kind !== 'domain' || config.domains));

/** The kinds of filters that are set. */
export const kindsOf = (filters: ListFilters): FilterKind[] =>
  KIND_NAMES.filter((kind) => KINDS[kind].names.some((name) => filters[name] !== undefined));

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
const isCount = (text: string): boolean => /^\d{1,12}$/.test(text);
const VALID: Partial<Record<FilterName, (text: string) => boolean>> = {
  status: (text) => Object.hasOwn(STATUS_LABELS, text),
  sort: (text) => Object.hasOwn(SORT_LABELS, text),
  favorite: (text) => text === '1',
  health: (text) => Object.hasOwn(HEALTH_LABELS, text),
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
    else if (name === 'domain') query.set(name, domainFromAddress(value));
    else if (name === 'to') query.set(name, new Date(Date.parse(value) + DAY_MS).toISOString());
    else query.set(name, value);
  }
  return query.toString();
}

/** Returns the query of the filters alone, for totals and exports. */
export const toFilterQuery = ({ sort: _sort, ...filters }: ListFilters): string =>
  toApiQuery(filters);

/** Returns the address of the list with these filters. */
export function toSearch(filters: ListFilters | ViewFilters): string {
  const entries = FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [[name, value]];
  });
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}

/** Filters that change with every key: typing one is a single step of the browser's history. */
const TYPED: readonly FilterName[] = ['q', 'from', 'to'];

/**
 * Returns the filters in the URL. `set` changes some of them; '' removes one. Every change is a
 * step of the browser's history, so that Back undoes it.
 */
export function useLinkFilters() {
  const [params, setParams] = useQueryParams();
  const filters = useMemo(() => readFilters(params), [params]);
  const typed = TYPED.filter((name) => filters[name] !== undefined).join();
  const set = useCallback(
    (change: ListFilters) => {
      const isSameStep = Object.entries(change).every(
        ([name, value]) => typed.split(',').includes(name) && value !== '',
      );
      setParams(change, { replace: isSameStep });
    },
    [setParams, typed],
  );
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
export type ListFilterState = ReturnType<typeof useLinkFilters>;

export const areSameFilters = (a: ViewFilters, b: ListFilters): boolean =>
  FILTER_NAMES.every((name) => a[name] === b[name]);
