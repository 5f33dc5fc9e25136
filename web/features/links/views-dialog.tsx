import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { plural } from '#contract/language.ts';
import { VIEW_NAME_MAX } from '#contract/limits.ts';
import type { LinkView, ViewFilters } from '#contract/presets/views.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import {
  areSameFilters,
  FILTER_NAMES,
  HEALTH_LABELS,
  SORT_LABELS,
  STATUS_LABELS,
  type FilterName,
  type ListFilters,
  type ListFilterState,
} from './link-filters.ts';
import { useDeleteView, useSaveView, useViews } from './view-queries.ts';

/** Describes each filter of a view in a few words. */
const TEXTS: Readonly<Record<FilterName, (value: string) => string>> = {
  q: (text) => `“${text}”`,
  status: (status) => labels[status] ?? '',
  tag: (name) => `Tag ${name}`,
  favorite: () => 'Favorites',
  health: (state) => `Destination check: ${labels[state] ?? ''}`,
  host: (host) => `To ${host}`,
  domain: (host) => `On ${host}`,
  from: (day) => `From ${day}`,
  to: (day) => `Until ${day}`,
  min_clicks: (count) => `At least ${plural(Number(count), 'click')}`,
  max_clicks: (count) => `At most ${plural(Number(count), 'click')}`,
  import: () => 'One import',
  sort: (order) => labels[order] ?? '',
};
const labels: Readonly<Record<string, string>> = {
  ...STATUS_LABELS,
  ...SORT_LABELS,
  ...HEALTH_LABELS,
};

export function describeFilters(filters: ListFilters | ViewFilters): string {
  const parts = FILTER_NAMES.map((name) => {
    const value = filters[name];
    return value === undefined ? '' : TEXTS[name](value);
  }).filter((part) => part !== '');
  return parts.length === 0 ? 'All links' : parts.join(' · ');
}

/**
 * Opens, saves and deletes views, which are named filters with an order, stored with the account.
 */
export function ViewsDialog({ list, onClose }: { list: ListFilterState; onClose: () => void }) {
  const views = useViews();
  const open = ({ filters }: LinkView): void => {
    list.set(Object.fromEntries(FILTER_NAMES.map((name) => [name, filters[name] ?? ''])));
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title="Views" closeLabel="Close">
      <QueryContent
        query={views}
        failure="Your views could not be loaded."
        loading="Loading your views…"
        skeleton={<Skeleton className="h-16 w-full" />}
      >
        {(saved) => (
          <>
            {saved.length === 0 ? (
              <p className="text-14 text-ink-2">
                A view keeps a search, filters and an order under a name, so that you find them
                again.
              </p>
            ) : (
              <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line">
                {saved.map((view) => (
                  <ViewRow
                    key={view.id}
                    view={view}
                    isCurrent={areSameFilters(view.filters, list.filters)}
                    onOpen={() => open(view)}
                  />
                ))}
              </ul>
            )}
            <SaveForm filters={list.filters} views={saved} onSaved={onClose} />
          </>
        )}
      </QueryContent>
    </Dialog>
  );
}

function ViewRow({
  view,
  isCurrent,
  onOpen,
}: {
  view: LinkView;
  isCurrent: boolean;
  onOpen: () => void;
}) {
  const remove = useDeleteView();
  return (
    <li className="flex items-center gap-1 p-1">
      <button
        type="button"
        aria-label={`Open the view ${view.name}`}
        aria-current={isCurrent ? 'true' : undefined}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-md px-2 py-1.5 text-start hover:bg-hover"
        onClick={onOpen}
      >
        <Bookmark
          className={`size-4 shrink-0 ${isCurrent ? 'fill-accent text-accent' : 'text-ink-3'}`}
        />
        <span className="min-w-0">
          <span
            dir="auto"
            className="block truncate text-match-parent text-14 font-medium text-ink"
          >
            {view.name}
          </span>
          <span dir="auto" className="block truncate text-match-parent text-13 text-ink-3">
            {describeFilters(view.filters)}
          </span>
        </span>
      </button>
      <Button
        size="sm"
        variant="ghost"
        pending={remove.isPending}
        aria-label={`Delete the view ${view.name}`}
        onClick={() =>
          remove.mutate(view.id, {
            onSuccess: () => toast(`View “${view.name}” deleted.`),
            onError: ({ message }) => toast(message, { tone: 'bad' }),
          })
        }
      >
        <Trash2 className="size-4" />
      </Button>
    </li>
  );
}

function SaveForm({
  filters,
  views,
  onSaved,
}: {
  filters: ListFilters;
  views: readonly LinkView[];
  onSaved: () => void;
}) {
  const [name, setName] = useState('');
  const save = useSaveView();
  const trimmedName = name.trim();
  const required = useRequired({ name: trimmedName === '' && 'Enter a name.' });
  if (Object.keys(filters).length === 0)
    return (
      <p className="mt-4 text-13 text-ink-3">
        To save a view, first search, filter or order your links.
      </p>
    );
  const replaces = views.some((view) => view.name.toLowerCase() === trimmedName.toLowerCase());
  const submit = (): void =>
    save.mutate(
      { name: trimmedName, filters },
      {
        onSuccess: () => {
          toast(`View “${trimmedName}” saved.`);
          onSaved();
        },
      },
    );
  return (
    <Form
      error={save.error}
      onSubmit={() => required.check() && submit()}
      className="mt-4 flex items-start gap-2"
    >
      <div className="min-w-0 flex-1">
        <TextField
          label="Save the current list as"
          hint={replaces ? 'Replaces the view with this name.' : describeFilters(filters)}
          error={required.at('name') || save.error?.message}
          value={name}
          maxLength={VIEW_NAME_MAX}
          onText={setName}
        />
      </div>
      <Button type="submit" variant="primary" className="mt-6.5" pending={save.isPending}>
        Save view
      </Button>
    </Form>
  );
}
