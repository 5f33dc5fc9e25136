import { Link2, Search } from 'lucide-react';
import { useState } from 'react';
import type { LinkRow as LinkData } from '#contract/links.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { formatNumber } from '#web/shared/format.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { LinkDialog } from './link-dialogs.tsx';
import { LinkRow } from './link-row.tsx';
import type { LinkAction } from './link-row.tsx';
import { LinkRowsSkeleton } from './link-rows-skeleton.tsx';
import type { useLinks } from './queries.ts';

const FAILURE = 'Your links could not be loaded.';

/** The member's links with search and pagination, and its loading, empty and error states. */
export function LinkList({
  query,
  search,
  onSearch,
}: {
  query: ReturnType<typeof useLinks>;
  search: string;
  onSearch: (search: string) => void;
}) {
  const [now] = useState(() => Date.now());
  const [selected, setSelected] = useState<{ link: LinkData; action: LinkAction } | null>(null);
  const pages = query.data?.pages ?? [];
  const links = pages.flatMap((page) => page.urls);
  const total = pages[0]?.totals.links ?? 0;
  const isEmpty = query.isSuccess && links.length === 0;
  const searching = search !== '';
  return (
    <section aria-label="Your links" className="space-y-3">
      {(searching || total > 1 || query.isPending) && (
        <SearchBox label="Search by code or target" search={search} onSearch={onSearch} />
      )}
      {query.isError && links.length > 0 && (
        <ErrorLine message={FAILURE} retrying={query.isFetching} onRetry={() => void query.refetch()} />
      )}
      <Card>
        {query.isPending && (
          <Loading label="Loading your links…">
            <LinkRowsSkeleton />
          </Loading>
        )}
        {query.isError && links.length === 0 && (
          <FailedState title={FAILURE} onRetry={() => void query.refetch()} retrying={query.isFetching}>
            They keep redirecting. Check your connection and try again.
          </FailedState>
        )}
        {isEmpty &&
          (searching ? (
            <EmptyState
              icon={<Search />}
              title="No links found"
              action={<Button onClick={() => onSearch('')}>Clear search</Button>}
            >
              No code or target contains “{search}”.
            </EmptyState>
          ) : (
            <EmptyState
              icon={<Link2 />}
              title="No URLs yet"
              action={
                <LinkButton to="/" state={{ newLink: true }} variant="primary">
                  Shorten a link
                </LinkButton>
              }
            >
              Links you create while signed in appear here with their clicks.
            </EmptyState>
          ))}
        {links.length > 0 && (
          <ul className={query.isPlaceholderData ? 'opacity-60 transition-opacity duration-150' : ''}>
            {links.map((link) => (
              <LinkRow key={link.id} link={link} now={now} onAction={(action) => setSelected({ link, action })} />
            ))}
          </ul>
        )}
      </Card>
      {links.length > 0 && (query.hasNextPage || total > PAGE_SIZE) && (
        <LoadMore
          shown={searching ? `${formatNumber(links.length)} shown` : `${formatNumber(links.length)} of ${formatNumber(total)}`}
          pending={query.isFetchingNextPage}
          onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
        />
      )}
      {selected !== null && <LinkDialog link={selected.link} action={selected.action} onClose={() => setSelected(null)} />}
    </section>
  );
}
