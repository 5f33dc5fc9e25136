import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BulkResponse, LinkChange, LinkRow, MyLinksResponse } from '#contract/links.ts';
import { api } from '#web/shared/api.ts';

const KEY = 'my-urls';

/** The member's links, newest first, page by page; `search` keeps those whose code or target holds it. */
export function useLinks(search: string) {
  return useInfiniteQuery({
    queryKey: [KEY, search],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams();
      if (search !== '') query.set('q', search);
      if (pageParam !== '') query.set('cursor', pageParam);
      const text = query.toString();
      return api<MyLinksResponse>(text === '' ? '/api/my-urls' : `/api/my-urls?${text}`, { signal });
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** Says that the member's links have changed elsewhere (one was made): the list is read anew when it shows next. */
export function useInvalidateLinks(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: [KEY] });
}

const pathOf = (code: string): string => `/api/links/${encodeURIComponent(code)}`;

/** Changes a link, and the list with it. */
export function useUpdateLink(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ code, change }: { code: string; change: LinkChange }) =>
      api<LinkRow>(pathOf(code), { method: 'PATCH', body: change }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [KEY] });
      onDone();
    },
  });
}

/** Deletes a link for good. */
export function useDeleteLink(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => api<unknown>(pathOf(code), { method: 'DELETE' }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [KEY] });
      onDone();
    },
  });
}

/** Shortens a list of targets (Premium), and reads the member's links anew. */
export function useShortenMany(onDone: (answer: BulkResponse) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (longUrls: string[]) => api<BulkResponse>('/api/shorten/bulk', { method: 'POST', body: { longUrls } }),
    onSuccess: (answer) => {
      void queries.invalidateQueries({ queryKey: [KEY] });
      onDone(answer);
    },
  });
}
