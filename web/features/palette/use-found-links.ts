import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ListedLink, MyLinksResponse } from '#contract/links/links.ts';
import { api } from '#web/shared/api/api.ts';
import { useSettled } from '#web/shared/page/use-settled.ts';

const LINKS_MAX = 7;
const PAUSE_MS = 150;

export type FoundLinks = { links: readonly ListedLink[]; isSearching: boolean; error: string };

/** The member's links that match a search, or the newest ones. */
export function useFoundLinks(search: string): FoundLinks {
  const settled = useSettled(search, PAUSE_MS);
  const { data, error, isFetching } = useQuery({
    // Below the key of the list, so that it reloads with it.
    queryKey: ['my-urls', 'palette', settled],
    queryFn: async ({ signal }) =>
      (
        await api<MyLinksResponse>(
          `/api/my-urls${settled === '' ? '' : `?q=${encodeURIComponent(settled)}`}`,
          { signal },
        )
      ).urls.slice(0, LINKS_MAX),
    placeholderData: keepPreviousData,
  });
  return {
    links: data ?? [],
    isSearching: isFetching || settled !== search,
    error: error?.message ?? '',
  };
}
