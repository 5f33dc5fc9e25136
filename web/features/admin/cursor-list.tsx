import { type ReactNode, useCallback } from 'react';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { useQueryParams } from '#web/shared/page/use-query-params.ts';
import { Button } from '#web/ui/button.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { SelectField } from '#web/ui/select-field.tsx';

type ListQuery<Page> = {
  data: { pages: readonly Page[] } | undefined;
  isError: boolean;
  isPending: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
};

/**
 * A paginated list in a card, with its loading, empty and error states. `children` renders one row
 * as an `<li>`, unless `renderRows` puts the rows into something other than a list. A page without
 * rows may not be the last one, because the server reads a bounded number of entries per request.
 */
export function CursorList<Page, Row>({
  query,
  rowsOf,
  noun,
  empty,
  renderRows,
  children,
}: {
  query: ListQuery<Page>;
  rowsOf: (page: Page) => Row[];
  /** What the list holds: 'users'. It names the list for screen readers, too. */
  noun: string;
  empty: string;
  renderRows?: (rows: ReactNode[]) => ReactNode;
  children: (row: Row) => ReactNode;
}) {
  if (query.isPending)
    return (
      <Loading>
        <Card className="divide-y divide-line">
          {['a', 'b', 'c', 'd'].map((key) => (
            <div key={key} className="px-4 py-4 sm:px-5">
              <Skeleton className="h-5 w-2/5" />
              <Skeleton className="mt-1.5 h-4 w-3/5" />
            </div>
          ))}
        </Card>
      </Loading>
    );
  const failure = `The ${noun} could not be loaded.`;
  const rows = query.data?.pages.flatMap(rowsOf) ?? [];
  const found =
    query.hasNextPage && rows.length === 0 ? 'Nothing found among the newest entries' : empty;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {query.isError && rows.length > 0 && <ErrorLine message={failure} query={query} />}
      {query.isError && rows.length === 0 ? (
        <FailedState title={failure} query={query} />
      ) : rows.length === 0 ? (
        <EmptyState title={found}>
          {query.hasNextPage ? 'Load more to look at older ones.' : undefined}
        </EmptyState>
      ) : (
        <Card>
          {renderRows?.(rows.map(children)) ?? (
            <ul
              aria-label={noun.charAt(0).toUpperCase() + noun.slice(1)}
              className="m-0 list-none divide-y divide-line p-0"
            >
              {rows.map((row) => children(row))}
            </ul>
          )}
        </Card>
      )}
      {query.hasNextPage && <LoadMore next={query} shown={`${rows.length} shown`} />}
    </div>
  );
}

/**
 * A filter of a list. `any` labels the option that does not filter, and `options` are labels by
 * value.
 */
export type AdminFilter = {
  name: string;
  label: string;
  any: string;
  options: Readonly<Record<string, string>>;
};

/**
 * The search and filters of the open tab, stored in the URL. `params` is the API's query, without
 * values that no filter offers. `set` changes some of them; '' removes one.
 */
export function useListFilters(filters: readonly AdminFilter[]) {
  const [query, set] = useQueryParams();
  const params: Record<string, string> = {};
  for (const { name, options } of filters) {
    const value = query.get(name);
    if (value !== null && Object.hasOwn(options, value)) params[name] = value;
  }
  return { q: query.get('q') ?? '', params, set };
}

export function ListFilterBar({
  searchLabel,
  filters,
  list: { q, params, set },
}: {
  searchLabel: string;
  filters: readonly AdminFilter[];
  list: ReturnType<typeof useListFilters>;
}) {
  const onSearch = useCallback((text: string) => set({ q: text }, { replace: true }), [set]);
  const isFiltered = q !== '' || Object.keys(params).length > 0;
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1 basis-64 sm:max-w-form sm:basis-48">
        <SearchBox label={searchLabel} search={q} onSearch={onSearch} />
      </div>
      {filters.map(({ name, label, any, options }) => (
        <div key={name} className="min-w-0 max-sm:flex-1 max-sm:basis-36">
          <SelectField
            label={label}
            hideLabel
            choices={[['', any], ...Object.entries(options)]}
            value={params[name] ?? ''}
            onSelect={(value) => set({ [name]: value })}
          />
        </div>
      ))}
      {isFiltered && (
        <Button
          variant="ghost"
          onClick={() =>
            set({ q: '', ...Object.fromEntries(filters.map(({ name }) => [name, ''])) })
          }
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}
