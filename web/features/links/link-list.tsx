import { Suspense, useRef, useState } from 'react';
import type { ListedLink, ShortenResponse } from '#contract/links/links.ts';
import type { Tag } from '#contract/links/tags.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { formatNumber } from '#contract/language.ts';
import { useChange } from '#web/shared/api/use-change.ts';
import { Card } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { FirstSteps, useHasSteps } from './first-steps.tsx';
import { LinkDialog } from './link-dialogs.tsx';
import { toApiQuery, type ListFilterState } from './link-filters.ts';
import { opensDialog, LinkRow, type DialogAction } from './link-row.tsx';
import { LinkRowsSkeleton } from './link-rows-skeleton.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import type { useLinks } from './queries.ts';
import { TrashNote, TrashRow } from './trash-row.tsx';
import { useActions, type Actions } from './use-actions.ts';
import { useCreatedLink } from './use-created-link.ts';
import { useActivity } from './use-activity.ts';
import { useListKeys } from './use-list-keys.ts';
import { useLoadWhile } from './use-load-while.ts';
import { useSelectAll, useSelection } from './use-selection.ts';

const SelectionBar = lazyPopup(() => import('./selection-bar.tsx').then((m) => m.SelectionBar));
const TagsDialog = lazyPopup(() => import('./tags-dialog.tsx').then((m) => m.TagsDialog));
const PurgeDialog = lazyPopup(() => import('./purge-dialog.tsx').then((m) => m.PurgeDialog));
const FailedDialog = lazyPopup(() => import('./failed-dialog.tsx').then((m) => m.FailedDialog));

const EmptyList = lazyOr(
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
  onShareTag,
  onCreated = ignoreUsage,
}: {
  query: ReturnType<typeof useLinks>;
  list: ListFilterState;
  onShareTag: (tag: Tag) => void;
  /** Called with the new usage of the quota when the first steps create a link. */
  onCreated?: (usage: ShortenResponse['usage']) => void;
}) {
  const { filters, set, clear } = list;
  const section = useRef<HTMLElement>(null);
  const [now] = useState(() => Date.now());
  const [dialog, setDialog] = useState<{ link: ListedLink; action: DialogAction } | null>(null);
  const [isManagingTags, setManagingTags] = useState(false);
  const [purging, setPurging] = useState<{ link: ListedLink | null } | null>(null);
  const selection = useSelection();
  const actions = useActions(selection.remove);
  const pages = query.data?.pages ?? [];
  const inTrash = filters.status === 'trash';
  const { links, createdCode } = useCreatedLink(
    pages.flatMap((page) => page.urls),
    toApiQuery(filters),
    inTrash,
  );
  const totals = pages[0]?.totals ?? { links: 0, clicks: 0 };
  const total = totals.links;
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort');
  const { hasNextPage } = query;
  // A page can be empty and not the last one, because a request reads a limited number of links.
  const isSkippingEmptyPages = useLoadWhile(query, links.length === 0);
  useChange(toApiQuery(filters), selection.clear);
  const toggle = (id: number, isRange: boolean): void =>
    selection.toggle(
      id,
      isRange,
      links.map((link) => link.id),
    );
  useListKeys(section, {
    onSelect: (row, isRange) => links[row] !== undefined && toggle(links[row].id, isRange),
    onEdit: (row) => links[row] !== undefined && setDialog({ link: links[row], action: 'edit' }),
    onEscape: selection.clear,
  });
  const isSelecting = selection.ids.size > 0;
  const selectAll = useSelectAll(query, toApiQuery(filters), selection);
  const hasSteps = useHasSteps(totals) && query.isSuccess && !isFiltered;
  const steps = hasSteps && (
    <FirstSteps
      link={links[0] ?? null}
      hasClicks={totals.clicks > 0}
      onCreated={onCreated}
      onQr={(link) => setDialog({ link, action: 'qr' })}
    />
  );
  return (
    <section ref={section} aria-label="Your links" className="space-y-3">
      {links.length > 0 && hasSteps && <Card>{steps}</Card>}
      {(isFiltered || total > 0 || query.isPending) && (
        <ListToolbar list={list} links={total} onManageTags={() => setManagingTags(true)} />
      )}
      {inTrash && links.length > 0 && (
        <TrashNote onClear={clear} onEmpty={() => setPurging({ link: null })} />
      )}
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
            createdCode={createdCode}
            now={now}
            inTrash={inTrash}
            isOutdated={query.isPlaceholderData}
            selectedIds={selection.ids}
            actions={actions}
            onSelect={toggle}
            onTag={(tag) => set({ tag })}
            onDialog={(link, action) => setDialog({ link, action })}
            onPurge={(link) => setPurging({ link })}
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
          next={hasNextPage ? query : null}
        />
      )}
      {dialog !== null && (
        <LinkDialog link={dialog.link} action={dialog.action} onClose={() => setDialog(null)} />
      )}
      {isManagingTags && (
        <TagsDialog
          onShare={(tag) => {
            setManagingTags(false);
            onShareTag(tag);
          }}
          onClose={() => setManagingTags(false)}
        />
      )}
      {purging !== null && <PurgeDialog link={purging.link} onClose={() => setPurging(null)} />}
      {actions.failed.length > 0 && (
        <FailedDialog failed={actions.failed} onClose={actions.closeFailed} />
      )}
      {(isSelecting || isLongWork(actions)) && (
        <SelectionBar
          ids={[...selection.ids]}
          links={links}
          query={query}
          selectAll={selectAll}
          isArchive={filters.status === 'archived'}
          actions={actions}
          onClose={selection.clear}
        />
      )}
    </section>
  );
}

/** Undoing a long action shows its progress, although no link is selected. */
const isLongWork = ({ working }: Actions): boolean => working?.isLong === true;

function Rows({
  links,
  createdCode,
  now,
  inTrash,
  isOutdated,
  selectedIds,
  actions,
  onSelect,
  onTag,
  onDialog,
  onPurge,
}: {
  links: readonly ListedLink[];
  createdCode: string | null;
  now: number;
  inTrash: boolean;
  isOutdated: boolean;
  selectedIds: ReadonlySet<number>;
  actions: Actions;
  onSelect: (id: number, isRange: boolean) => void;
  onTag: (name: string) => void;
  onDialog: (link: ListedLink, action: DialogAction) => void;
  onPurge: (link: ListedLink) => void;
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
            pending={actions.isActing(link.id)}
            onRestore={() => actions.run({ ids: [link.id], action: 'restore' })}
            onPurge={() => onPurge(link)}
          />
        ) : (
          <LinkRow
            key={link.id}
            link={link}
            isNew={link.short_code === createdCode}
            activity={activity.get(link.id)}
            now={now}
            isSelected={selectedIds.has(link.id)}
            onSelect={(isRange) => onSelect(link.id, isRange)}
            onTag={onTag}
            onAction={(action) => {
              if (opensDialog(action)) onDialog(link, action);
              else actions.run({ ids: [link.id], action });
            }}
          />
        ),
      )}
    </ul>
  );
}
