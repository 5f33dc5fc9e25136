import { Bookmark, SlidersHorizontal } from 'lucide-react';
import { useCallback, useState } from 'react';
import { MY_LINKS_SORTS, MY_LINKS_STATUSES } from '#contract/links.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input, VERBATIM } from '#web/ui/input.tsx';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import {
  countFilters,
  SORT_LABELS,
  STATUS_LABELS,
  type FilterName,
  type useLinkFilters,
} from './link-filters.ts';
import { useTags } from './queries.ts';

type Filters = ReturnType<typeof useLinkFilters>;

const ViewsDialog = lazyPopup<{ list: Filters; onClose: () => void }>(() =>
  import('./views-dialog.tsx').then((m) => m.ViewsDialog),
);

export function ListToolbar({ list, onManageTags }: { list: Filters; onManageTags: () => void }) {
  const { filters, set } = list;
  const [open, setOpen] = useState(false);
  const [showsViews, setShowsViews] = useState(false);
  const onSearch = useCallback((q: string) => set({ q }), [set]);
  const count = countFilters(filters);
  return (
    <search className="block space-y-3">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <SearchBox label="Search your links" search={filters.q ?? ''} onSearch={onSearch} />
        </div>
        <div className="w-52 max-sm:hidden">
          <SortSelect list={list} />
        </div>
        <Button
          aria-expanded={open}
          aria-label={count === 0 ? 'Filters' : `Filters, ${count} set`}
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal className="size-4" />
          <span className="max-sm:hidden">Filters</span>
          {count > 0 && <span className="tabular-nums">{count}</span>}
        </Button>
        <Button aria-label="Views" data-tooltip="Views" onClick={() => setShowsViews(true)}>
          <Bookmark className="size-4" />
        </Button>
      </div>
      {open && (
        <Card>
          <FilterFields list={list} onManageTags={onManageTags} />
        </Card>
      )}
      {showsViews && <ViewsDialog list={list} onClose={() => setShowsViews(false)} />}
    </search>
  );
}

const SortSelect = ({ list: { filters, set } }: { list: Filters }) => (
  <SelectField
    label="Order"
    hideLabel
    choices={MY_LINKS_SORTS.map((sort) => [sort, SORT_LABELS[sort]])}
    value={filters.sort ?? '-created'}
    onSelect={(sort) => set({ sort: sort === '-created' ? '' : sort })}
  />
);

function FilterFields({ list, onManageTags }: { list: Filters; onManageTags: () => void }) {
  const { filters, set, clear } = list;
  const tags = useTags();
  const tagNames = tags.data?.map(({ name }) => name) ?? [];
  // The tag in the URL may be deleted, or the tags may not have loaded yet.
  if (filters.tag !== undefined && !tagNames.includes(filters.tag)) tagNames.unshift(filters.tag);
  return (
    <div className="grid grid-cols-2 gap-3 p-4 sm:grid-cols-4">
      <div className="col-span-2 sm:hidden">
        <SortSelect list={list} />
      </div>
      <SelectField
        label="Status"
        choices={[
          ['', 'Not archived'],
          ...MY_LINKS_STATUSES.map((status) => [status, STATUS_LABELS[status]] as const),
        ]}
        value={filters.status ?? ''}
        onSelect={(status) => set({ status })}
      />
      <SelectField
        label="Tag"
        choices={[['', 'Any tag'], ...tagNames.map((name) => [name, name] as const)]}
        value={filters.tag ?? ''}
        onSelect={(tag) => set({ tag })}
      />
      <FilterField list={list} name="host" label="Destination’s host" type="text" />
      <div className="flex flex-col justify-end gap-2 pb-2 max-sm:order-last max-sm:col-span-2">
        {filters.import !== undefined && (
          <Checkbox label="One import only" checked onChange={() => set({ import: '' })} />
        )}
        <Checkbox
          label="Favorites only"
          checked={filters.favorite === '1'}
          onChange={(event) => set({ favorite: event.target.checked ? '1' : '' })}
        />
      </div>
      <FilterField list={list} name="from" label="Created from" type="date" />
      <FilterField list={list} name="to" label="Created until" type="date" />
      <FilterField list={list} name="min_clicks" label="Clicks, at least" type="number" />
      <FilterField list={list} name="max_clicks" label="Clicks, at most" type="number" />
      <div className="order-last col-span-full flex flex-wrap items-center gap-2">
        <p className="min-w-48 flex-1 text-13 text-ink-3">
          Days are UTC. With more than 2,000 links, order and filters by clicks are brought up to
          date once an hour.
        </p>
        <Button size="sm" onClick={onManageTags}>
          Manage tags
        </Button>
        <Button size="sm" disabled={countFilters(filters) === 0} onClick={clear}>
          Clear filters
        </Button>
      </div>
    </div>
  );
}

function FilterField({
  list: { filters, set },
  name,
  label,
  type,
}: {
  list: Filters;
  name: FilterName;
  label: string;
  type: 'text' | 'date' | 'number';
}) {
  return (
    // A date does not fit half the width of a phone.
    <div className={type === 'number' ? '' : 'max-sm:col-span-2'}>
      <Field label={label}>
        {(control) => (
          <FilterInput
            {...control}
            key={filters[name] ?? ''}
            type={type}
            value={filters[name] ?? ''}
            onDone={(value) => set({ [name]: value })}
          />
        )}
      </Field>
    </div>
  );
}

/** An input that changes its filter on Enter and when it loses focus; a date changes it at once. */
function FilterInput({
  value,
  onDone,
  ...control
}: { id: string; type: string; value: string; onDone: (value: string) => void } & {
  'aria-describedby': string | undefined;
}) {
  const [text, setText] = useState(value);
  const done = (): void => {
    if (text.trim() !== value) onDone(text.trim().toLowerCase());
  };
  return (
    <Input
      {...control}
      value={text}
      min={0}
      maxLength={100}
      {...VERBATIM}
      onChange={(event) => {
        setText(event.target.value);
        if (control.type === 'date') onDone(event.target.value);
      }}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  );
}
