import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BulkResponse, LinkChange, LinkRow, MyLinksResponse } from '#contract/links.ts';
import { api } from '#web/shared/api.ts';

const KEY = 'my-urls';

/** The member's links, newest first, paginated. `search` filters by code and target. */
export const linksQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [KEY, search],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams();
      if (search !== '') query.set('q', search);
      if (pageParam !== '') query.set('cursor', pageParam);
      const text = query.toString();
      return api<MyLinksResponse>(text === '' ? '/api/my-urls' : `/api/my-urls?${text}`, { signal });
    },
    getNextPageParam: (page: MyLinksResponse) => page.next_cursor ?? undefined,
  });

export const useLinks = (search: string) => useInfiniteQuery({ ...linksQuery(search), placeholderData: keepPreviousData });

/** Returns a function that marks the cached links as outdated, so that the list reloads when it next appears. */
export function useInvalidateLinks(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: [KEY] });
}

const linkPath = (code: string): string => `/api/links/${encodeURIComponent(code)}`;

/** Updates a link and reloads the list. */
export function useUpdateLink(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ code, change }: { code: string; change: LinkChange }) =>
      api<LinkRow>(linkPath(code), { method: 'PATCH', body: change }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [KEY] });
      onDone();
    },
  });
}

/** Deletes a link permanently and reloads the list. */
export function useDeleteLink(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => api<unknown>(linkPath(code), { method: 'DELETE' }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [KEY] });
      onDone();
    },
  });
}

/** Shortens a list of links (Premium) and reloads the member's links. */
export function useShortenMany(onDone: (response: BulkResponse) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (longUrls: string[]) => api<BulkResponse>('/api/shorten/bulk', { method: 'POST', body: { longUrls } }),
    onSuccess: (response) => {
      void queries.invalidateQueries({ queryKey: [KEY] });
      onDone(response);
    },
  });
}
