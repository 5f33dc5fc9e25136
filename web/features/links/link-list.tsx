import { Link2, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { LinkRow as LinkData } from '#contract/links.ts';
import { PAGE_SIZE, SEARCH_MAX } from '#contract/limits.ts';
import { formatNumber } from '#web/shared/format.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Input } from '#web/ui/input.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { LinkDialog } from './link-dialogs.tsx';
import { LinkRow } from './link-row.tsx';
import type { LinkAction } from './link-row.tsx';
import { LinkRowsSkeleton } from './link-rows-skeleton.tsx';
import type { useLinks } from './queries.ts';

const SEARCH_AFTER_MS = 250;

/** The links of the member with search and paging; every state of it: loading, none, none found, failed, full. */
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
  const [chosen, setChosen] = useState<{ link: LinkData; action: LinkAction } | null>(null);
  const pages = query.data?.pages ?? [];
  const links = pages.flatMap((page) => page.urls);
  const total = pages[0]?.totals.links ?? 0;
  const none = query.isSuccess && links.length === 0;
  const searching = search !== '';
  return (
    <section aria-label="Your links" className="space-y-3">
      {(searching || total > 1 || query.isPending) && <SearchBox search={search} onSearch={onSearch} />}
      {query.isError && (
        <ErrorLine message="Your links could not be loaded." retrying={query.isFetching} onRetry={() => void query.refetch()} />
      )}
      <Card>
        {query.isPending && (
          <Loading label="Loading your links…">
            <LinkRowsSkeleton />
          </Loading>
        )}
        {(none || (query.isError && links.length === 0)) &&
          (searching ? (
            <EmptyState
              icon={<Search />}
              title="No link matches"
              action={<Button onClick={() => onSearch('')}>Clear the search</Button>}
            >
              Neither a code nor a target holds “{search}”.
            </EmptyState>
          ) : (
            <EmptyState
              icon={<Link2 />}
              title="No URLs yet"
              action={
                <LinkButton to="/" variant="primary">
                  Shorten a link
                </LinkButton>
              }
            >
              Links you make while signed in appear here with their clicks.
            </EmptyState>
          ))}
        {links.length > 0 && (
          <ul className={query.isPlaceholderData ? 'opacity-60 transition-opacity duration-150' : ''}>
            {links.map((link) => (
              <LinkRow key={link.id} link={link} now={now} onAction={(action) => setChosen({ link, action })} />
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
      {chosen !== null && <LinkDialog link={chosen.link} action={chosen.action} onClose={() => setChosen(null)} />}
    </section>
  );
}

/** Searches a moment after the last key. */
function SearchBox({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const [text, setText] = useState(search);
  const [shown, setShown] = useState(search);
  // The address changed by something else than typing (Back, Clear): show that.
  if (shown !== search) {
    setShown(search);
    setText(search);
  }
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === search) return;
    const timer = setTimeout(() => onSearch(wanted), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, search, onSearch]);
  return (
    <div className="relative">
      <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3" aria-hidden="true" />
      <Input
        type="search"
        aria-label="Search your links"
        placeholder="Search by code or target"
        maxLength={SEARCH_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="pl-9"
      />
    </div>
  );
}
