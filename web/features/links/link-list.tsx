import { Suspense, useEffect, useRef, useState } from 'react';
import type { ListedLink, ShortenResponse } from '#contract/links.ts';
import { KEEP_TRASH_DAYS, PAGE_SIZE } from '#contract/limits.ts';
import { formatNumber } from '#contract/language.ts';
import { useChange } from '#web/shared/use-change.ts';
import { Card } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { lazyOr } from '#web/ui/lazy-or.ts';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import type { EmptyListProps } from './empty-list.tsx';
import { FirstSteps, useHasSteps } from './first-steps.tsx';
import { LinkDialog } from './link-dialogs.tsx';
import { toApiQuery, type useLinkFilters } from './link-filters.ts';
import { opensDialog, LinkRow, type DialogAction } from './link-row.tsx';
import { LinkRowsSkeleton } from './link-rows-skeleton.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import type { useLinks } from './queries.ts';
import { FailedDialog, SelectionBar, useActions, type Actions } from './selection-bar.tsx';
import { useActivity } from './use-activity.ts';
import { useListKeys } from './use-list-keys.ts';
import { TrashRow } from './trash-row.tsx';

const TagsDialog = lazyPopup<{ onClose: () => void }>(() =>
  import('./tags-dialog.tsx').then((m) => m.TagsDialog),
);
const EmptyList = lazyOr<EmptyListProps>(
  () => import('./empty-list.tsx').then((m) => m.EmptyList),
  () => <p className="px-4 py-14 text-center text-16 font-medium">No links here</p>,
);

const ignoreUsage = (): void => undefined;
const FAILURE = 'Your links could not be loaded.';

/**
 * The member's links with search, filters, selection, pagination, and loading, empty and error
 * states.
 */
export function LinkList({
  query,
  list,
  onCreated = ignoreUsage,
}: {
  query: ReturnType<typeof useLinks>;
  list: ReturnType<typeof useLinkFilters>;
  /** Called with the new usage of the quota when the first steps create a link. */
  onCreated?: (usage: ShortenResponse['usage']) => void;
}) {
  const { filters, set, clear } = list;
  const section = useRef<HTMLElement>(null);
  useListKeys(section);
  const [now] = useState(() => Date.now());
  const [dialog, setDialog] = useState<{ link: ListedLink; action: DialogAction } | null>(null);
  const [isManagingTags, setManagingTags] = useState(false);
  const selection = useSelection();
  const actions = useActions(selection.clear);
  const pages = query.data?.pages ?? [];
  const links = pages.flatMap((page) => page.urls);
  const totals = pages[0]?.totals ?? { links: 0, clicks: 0 };
  const total = totals.links;
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort');
  const inTrash = filters.status === 'trash';
  const { hasNextPage, fetchNextPage } = query;
  const isSkippingEmptyPages = useSkipEmptyPages(query, links.length);
  useChange(toApiQuery(filters), selection.clear);
  const hasSteps = useHasSteps(totals) && query.isSuccess && !isFiltered;
  const steps = hasSteps && (
    <FirstSteps
      link={links[0] ?? null}
      hasClicks={totals.clicks > 0}
      onCreated={onCreated}
      onQr={(link) => setDialog({ link, action: 'qr' })}
    />
  );
  const selected = links.filter(({ short_code }) => selection.codes.has(short_code));
  return (
    <section ref={section} aria-label="Your links" className="space-y-3">
      {links.length > 0 && hasSteps && <Card>{steps}</Card>}
      {selected.length > 0 ? (
        <SelectionBar
          selected={selected}
          shown={links.length}
          actions={actions}
          onSelect={(which) =>
            selection.set(which === 'all' ? links.map(({ short_code }) => short_code) : [])
          }
        />
      ) : (
        (isFiltered || total > 0 || query.isPending) && (
          <ListToolbar list={list} links={total} onManageTags={() => setManagingTags(true)} />
        )
      )}
      {inTrash && links.length > 0 && <TrashNote onClear={clear} />}
      {query.isError && links.length > 0 && <ErrorLine message={FAILURE} query={query} />}
      <Card>
        {(query.isPending || isSkippingEmptyPages) && (
          <Loading label="Loading your links…">
            <LinkRowsSkeleton />
          </Loading>
        )}
        {query.isError && links.length === 0 && (
          <FailedState title={FAILURE} query={query}>
            They keep redirecting. Check your connection and try again.
          </FailedState>
        )}
        {query.isSuccess && links.length === 0 && !isSkippingEmptyPages && (
          <Suspense fallback={<div className="h-64" />}>
            <EmptyList
              isFiltered={isFiltered}
              inTrash={inTrash}
              search={filters.q ?? ''}
              onClear={clear}
              onTrash={() => set({ status: 'trash' })}
            >
              {steps}
            </EmptyList>
          </Suspense>
        )}
        {links.length > 0 && (
          <Rows
            links={links}
            now={now}
            inTrash={inTrash}
            isOutdated={query.isPlaceholderData}
            selectedCodes={selection.codes}
            actions={actions}
            onSelect={selection.toggle}
            onTag={(tag) => set({ tag })}
            onDialog={(link, action) => setDialog({ link, action })}
          />
        )}
      </Card>
      {links.length > 0 && (hasNextPage || total > PAGE_SIZE) && (
        <LoadMore
          shown={
            isFiltered
              ? `${formatNumber(links.length)} shown`
              : `${formatNumber(links.length)} of ${formatNumber(total)}`
          }
          pending={query.isFetchingNextPage}
          onMore={hasNextPage ? () => void fetchNextPage() : null}
        />
      )}
      {dialog !== null && (
        <LinkDialog link={dialog.link} action={dialog.action} onClose={() => setDialog(null)} />
      )}
      {isManagingTags && <TagsDialog onClose={() => setManagingTags(false)} />}
      <FailedDialog actions={actions} />
    </section>
  );
}

/** The codes of the selected links. */
function useSelection() {
  const [codes, setCodes] = useState<ReadonlySet<string>>(new Set());
  const toggle = (code: string): void =>
    setCodes((before) => {
      const after = new Set(before);
      if (!after.delete(code)) after.add(code);
      return after;
    });
  const set = (selected: readonly string[]): void => setCodes(new Set(selected));
  return { codes, toggle, set, clear: () => set([]) };
}

/**
 * Loads pages until one has links: a page can be empty and not the last one, because the API reads
 * a bounded number of links per request. Returns whether the next page has to be loaded.
 */
function useSkipEmptyPages(query: ReturnType<typeof useLinks>, shown: number): boolean {
  const { hasNextPage, isError, isFetching, fetchNextPage } = query;
  const isSkipping = shown === 0 && hasNextPage && !isError;
  useEffect(() => {
    if (isSkipping && !isFetching) void fetchNextPage();
  }, [isSkipping, isFetching, fetchNextPage]);
  return isSkipping;
}

const TrashNote = ({ onClear }: { onClear: () => void }) => (
  <p className="flex flex-wrap items-center gap-x-3 px-1 text-13 text-ink-3">
    The trash: deleted links can be restored for {KEEP_TRASH_DAYS} days.
    <button type="button" className="font-medium text-accent hover:underline" onClick={onClear}>
      Show all links
    </button>
  </p>
);

function Rows({
  links,
  now,
  inTrash,
  isOutdated,
  selectedCodes,
  actions,
  onSelect,
  onTag,
  onDialog,
}: {
  links: readonly ListedLink[];
  now: number;
  inTrash: boolean;
  isOutdated: boolean;
  selectedCodes: ReadonlySet<string>;
  actions: Actions;
  onSelect: (code: string) => void;
  onTag: (name: string) => void;
  onDialog: (link: ListedLink, action: DialogAction) => void;
}) {
  const activity = useActivity(inTrash ? [] : links);
  return (
    <ul className={isOutdated ? 'opacity-60 transition-opacity duration-150' : ''}>
      {links.map((link) =>
        inTrash && link.deleted_at !== null ? (
          <TrashRow
            key={link.id}
            link={link}
            now={now}
            pending={actions.isPending && actions.variables.codes.includes(link.short_code)}
            onRestore={() => actions.mutate({ codes: [link.short_code], action: 'restore' })}
          />
        ) : (
          <LinkRow
            key={link.id}
            link={link}
            activity={activity.get(link.id)}
            now={now}
            isSelected={selectedCodes.has(link.short_code)}
            onSelect={() => onSelect(link.short_code)}
            onTag={onTag}
            onAction={(action) => {
              if (opensDialog(action)) onDialog(link, action);
              else actions.mutate({ codes: [link.short_code], action });
            }}
          />
        ),
      )}
    </ul>
  );
}
