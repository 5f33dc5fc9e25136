import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  BulkRequest,
  BulkResponse,
  LinkChange,
  LinkHistory,
  ListedLink,
  MatchingLinksResponse,
  MyLinksResponse,
} from '#contract/links/links.ts';
import type { Tag } from '#contract/links/tags.ts';
import { api } from '#web/shared/api/api.ts';
import { reloadQueries } from '#web/shared/api/reload-queries.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import { TAGS_KEY } from '#web/shared/link-settings/use-tags.ts';

export const LINKS_KEY = 'my-urls';

/**
 * Loads the member's links, paginated. `query` has the filters of GET /api/my-urls; '' lists all
 * unarchived links, newest first.
 */
export const linkListQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: [LINKS_KEY, query],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const params = new URLSearchParams(query);
      if (pageParam !== '') params.set('cursor', pageParam);
      const text = params.toString();
      return api<MyLinksResponse>(text === '' ? '/api/my-urls' : `/api/my-urls?${text}`, {
        signal,
      });
    },
    getNextPageParam: (page: MyLinksResponse) => page.nextCursor ?? undefined,
  });

export const useLinks = (query: string) =>
  useInfiniteQuery({ ...linkListQuery(query), placeholderData: keepPreviousData });

/** How long in ms the ids of matching links are used again, while no link changes here. */
const IDS_FRESH_MS = 30_000;

/** Loads the ids of all links that the filters accept, also of those that are not loaded. */
export const useMatchingLinks = (query: string, enabled: boolean) =>
  useQuery({
    // The key is below the list's key, so that reloading the list also reloads the ids.
    queryKey: [LINKS_KEY, 'ids', query],
    queryFn: ({ signal }) => api<MatchingLinksResponse>(`/api/my-urls/ids?${query}`, { signal }),
    enabled,
    staleTime: IDS_FRESH_MS,
  });

/**
 * Returns a function that marks the cached links as outdated, so that the list reloads when it next
 * appears.
 */
export function useInvalidateLinks(): () => void {
  const queries = useQueryClient();
  return () => void reloadQueries(queries, [LINKS_KEY]);
}

/** Loads one of the member's links. Its key is below the list's, so that it reloads with the list. */
export const linkQuery = (code: string) =>
  queryOptions({
    queryKey: [LINKS_KEY, 'link', code],
    queryFn: ({ signal }) => api<ListedLink>(linkPath(code), { signal }),
  });

const linkPath = (code: string): string => `/api/links/${encodeURIComponent(code)}`;

export function useUpdateLink(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ code, change }: { code: string; change: LinkChange }) =>
      api<ListedLink>(linkPath(code), { method: 'PATCH', body: change }),
    onSuccess: async (_, { change }) => {
      if (change.tags !== undefined) void reloadQueries(queries, TAGS_KEY);
      await reloadQueries(queries, [LINKS_KEY]);
      onDone();
    },
  });
}

export const useShortenMany = (onDone: (response: BulkResponse) => void) =>
  useSend(
    (body: BulkRequest) => api<BulkResponse>('/api/shorten/bulk', { method: 'POST', body }),
    [[LINKS_KEY]],
    onDone,
  );

/** Returns the changes of a link, newest first. */
export function useHistory(code: string) {
  return useQuery({
    // The key is below the list's key, so that reloading the list also reloads the history.
    queryKey: [LINKS_KEY, 'history', code],
    queryFn: async ({ signal }) =>
      (await api<LinkHistory>(`${linkPath(code)}/history`, { signal })).changes,
  });
}

export type TagChange = { id: number } & (
  | { name: string }
  | { color: Tag['color'] }
  | { into: number }
  | { isDeleted: true }
);

/** Renames, colors, merges or deletes a tag, and reloads tags and links. */
export const useChangeTag = () =>
  useSend(
    ({ id, ...change }: TagChange) => {
      const path = `/api/tags/${id}`;
      if ('isDeleted' in change) return api(path, { method: 'DELETE' });
      return 'into' in change
        ? api(`${path}/merge`, { method: 'POST', body: change })
        : api(path, { method: 'PATCH', body: change });
    },
    [TAGS_KEY, [LINKS_KEY]],
    undefined,
    { waits: true },
  );
