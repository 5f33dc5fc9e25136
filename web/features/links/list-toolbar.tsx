import { ArrowUpDown, Download, Ellipsis, ListFilter, Tags } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { MY_LINKS_SORTS } from '#contract/links/my-links.ts';
import { LIVE_ORDER_MAX_LINKS } from '#contract/limits.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import {
  chosenKinds,
  KINDS,
  kindsOf,
  SORT_LABELS,
  toFilterQuery,
  type FilterKind,
  type ListFilterState,
} from './link-filters.ts';
import { useExportLinks, useFilteredTotals } from './list-queries.ts';
import { ViewTabs } from './view-tabs.tsx';

const FilterChips = lazyOr(
  () => import('./filter-chips.tsx').then((m) => m.FilterChips),
  () => <p className="text-13 text-bad">The filters didn’t load. Reload the page.</p>,
);

/**
 * Views, search, filters and order of the list. Below them are a chip for each filter and the totals
 * of the links that all filters accept. `links` is the size of the account.
 */
export function ListToolbar({
  list,
  links,
  onManageTags,
}: {
  list: ListFilterState;
  links: number;
  onManageTags: () => void;
}) {
  const { filters, set } = list;
  /** Filters from the menu that have no value yet. */
  const [added, setAdded] = useState<readonly FilterKind[]>([]);
  const onSearch = useCallback((q: string) => set({ q }), [set]);
  const download = useExportLinks(toFilterQuery(filters));
  const kinds = [...new Set([...kindsOf(filters), ...added])];
  const add = (kind: FilterKind): void => {
    if (kind === 'favorite') set({ favorite: '1' });
    else setAdded([...added.filter((other) => other !== kind), kind]);
  };
  const clear = (some: readonly FilterKind[]): void => {
    setAdded(added.filter((kind) => !some.includes(kind)));
    const names = some.flatMap((kind) => KINDS[kind].names);
    if (names.some((name) => filters[name] !== undefined))
      set(Object.fromEntries(names.map((name) => [name, ''])));
  };
  return (
    <search className="block space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <ViewTabs list={list} />
        <div className="min-w-0 flex-1 lg:max-w-72">
          <SearchBox label="Search your links" search={filters.q ?? ''} onSearch={onSearch} />
        </div>
        <Menu
          label="Filter"
          className={`${buttonClass()} max-sm:px-2.5`}
          items={chosenKinds()
            .filter((kind) => !kinds.includes(kind))
            .map((kind) => ({
              label: KINDS[kind].label,
              onSelect: () => add(kind),
            }))}
        >
          <ListFilter className="size-4" />
          <span className="max-sm:hidden">Filter</span>
        </Menu>
        <SortSelect list={list} />
        <Menu
          label="More for this list"
          tooltip="More"
          items={[
            {
              label: 'Export as CSV',
              icon: <Download />,
              onSelect: () => download.mutate('csv'),
            },
            {
              label: 'Export as JSON',
              icon: <Download />,
              onSelect: () => download.mutate('json'),
            },
            { label: 'Manage tags', icon: <Tags />, onSelect: onManageTags },
          ]}
        >
          <Ellipsis className="size-4" />
        </Menu>
      </div>
      {(kinds.length > 0 || filters.q !== undefined) && (
        <div className="flex flex-wrap items-center gap-2">
          <Suspense fallback={<span className="h-8 pointer-coarse:h-11" />}>
            <FilterChips
              list={list}
              kinds={kinds}
              added={added.at(-1) ?? null}
              onRemove={(kind) => clear([kind])}
            />
          </Suspense>
          {kinds.length > 1 && (
            <Button size="sm" variant="ghost" onClick={() => clear(kinds)}>
              Clear filters
            </Button>
          )}
          <FilteredTotals list={list} links={links} />
        </div>
      )}
    </search>
  );
}

/** On a phone, only an icon shows, over the same select. */
const SortSelect = ({ list: { filters, set } }: { list: ListFilterState }) => (
  <div className="relative w-11 max-sm:[&_select]:px-0! max-sm:[&_select]:text-transparent! forced-colors:max-sm:[&_select]:-indent-96 max-sm:[&_svg:not(.order-icon)]:hidden sm:w-46 [&_option]:text-ink">
    <ArrowUpDown className="order-icon pointer-events-none absolute inset-x-0 top-1/2 z-1 mx-auto size-4 -translate-y-1/2 text-ink sm:hidden" />
    <SelectField
      label="Order"
      hideLabel
      choices={MY_LINKS_SORTS.map((sort) => [sort, SORT_LABELS[sort]])}
      value={filters.sort ?? '-created'}
      onSelect={(sort) => set({ sort: sort === '-created' ? '' : sort })}
    />
  </div>
);

/** "12 links, 340 clicks" of the links that the filters accept. */
function FilteredTotals({ list: { filters }, links }: { list: ListFilterState; links: number }) {
  const query = toFilterQuery(filters);
  const isCounted = query !== '' && filters.status !== 'trash';
  const totals = useFilteredTotals(query, isCounted);
  if (!isCounted) return null;
  const { data } = totals;
  const usesClicks = filters.min_clicks !== undefined || filters.max_clicks !== undefined;
  return (
    <output className="ms-auto text-13 text-ink-2 tabular-nums">
      {totals.isPending && <Skeleton className="h-3.5 w-32" />}
      {data !== undefined && (
        <>
          {data.isComplete ? '' : 'At least '}
          {plural(data.links, 'link')}, {plural(data.clicks, 'click')}
          {usesClicks && links > LIVE_ORDER_MAX_LINKS && (
            <span className="text-ink-3">
              {' '}
              · with more than {formatNumber(LIVE_ORDER_MAX_LINKS)} links, up to an hour old
            </span>
          )}
        </>
      )}
      {totals.isError && 'These links could not be counted.'}
    </output>
  );
}
