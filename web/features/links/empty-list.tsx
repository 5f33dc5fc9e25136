import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { BROKEN_ARC, ENDED_ARC } from '#contract/pages/arcs.ts';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { NewLinkButton } from '#web/shared/links/new-link-button.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { linkListQuery } from './queries.ts';

type EmptyListProps = {
  isFiltered: boolean;
  inTrash: boolean;
  search: string;
  onClear: () => void;
  onTrash: () => void;
  children: ReactNode;
};

/** Says why the list is empty. `children` are the first steps of a new member, if they show. */
export function EmptyList({
  isFiltered,
  inTrash,
  search,
  onClear,
  onTrash,
  children,
}: EmptyListProps) {
  if (inTrash)
    return (
      <EmptyState
        arc={ENDED_ARC}
        title="The trash is empty"
        action={<Button onClick={onClear}>Show all links</Button>}
      >
        Deleted links can be restored from here for at most {KEEP_TRASH_DAYS} days.
      </EmptyState>
    );
  if (isFiltered)
    return (
      <EmptyState
        arc={BROKEN_ARC}
        title="No links found"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        {search === ''
          ? 'No link matches these filters.'
          : `Nothing matches “${search}”. A search finds the beginnings of words, and three or more characters inside codes and hosts.`}
      </EmptyState>
    );
  return <EmptyAccount onTrash={onTrash}>{children}</EmptyAccount>;
}

/** An account without links. The trash is mentioned only if there is something in it. */
function EmptyAccount({ onTrash, children }: { onTrash: () => void; children: ReactNode }) {
  const trash = useInfiniteQuery(linkListQuery('status=trash'));
  const hasTrash = trash.data?.pages.some(({ urls }) => urls.length > 0) === true;
  const hasSteps = children !== false;
  return (
    <>
      <EmptyState
        title="No URLs yet"
        action={
          (hasTrash || !hasSteps) && (
            <div className="flex gap-2">
              {!hasSteps && <NewLinkButton label="Shorten a link" variant="primary" />}
              {hasTrash && <Button onClick={onTrash}>Open trash</Button>}
            </div>
          )
        }
      >
        Links you create while signed in appear here with their clicks.
      </EmptyState>
      {hasSteps && <div className="border-t border-line">{children}</div>}
    </>
  );
}
