import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  BulkResponse,
  LinkActionLine,
  LinkActionRequest,
  LinkActionResponse,
  LinkChange,
  LinkHistory,
  ListedLink,
  MyLinksResponse,
} from '#contract/links.ts';
import { ACTION_MAX } from '#contract/limits.ts';
import type { Tag, TagsResponse } from '#contract/tags.ts';
import { api } from '#web/shared/api.ts';
import { reloadQueries } from '#web/shared/reload-queries.ts';
import { useSend } from '#web/shared/use-send.ts';

export const LINKS_KEY = 'my-urls';
const TAGS = 'tags';

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

/**
 * Returns a function that marks the cached links as outdated, so that the list reloads when it next
 * appears.
 */
export function useInvalidateLinks(): () => void {
  const queries = useQueryClient();
  return () => void reloadQueries(queries, [LINKS_KEY]);
}

const linkPath = (code: string): string => `/api/links/${encodeURIComponent(code)}`;

export function useUpdateLink(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ code, change }: { code: string; change: LinkChange }) =>
      api<ListedLink>(linkPath(code), { method: 'PATCH', body: change }),
    onSuccess: async (_, { change }) => {
      if (change.tags !== undefined) void reloadQueries(queries, [TAGS]);
      await reloadQueries(queries, [LINKS_KEY]);
      onDone();
    },
  });
}

/**
 * Applies an action to links, ACTION_MAX per request, and reloads the list. `onDone` gets the
 * result of each link.
 */
export function useLinkAction(
  onDone: (lines: LinkActionLine[], request: LinkActionRequest) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ codes, ...action }: LinkActionRequest) => {
      const lines: LinkActionLine[] = [];
      for (let at = 0; at < codes.length; at += ACTION_MAX) {
        const body = { ...action, codes: codes.slice(at, at + ACTION_MAX) };
        lines.push(
          ...(await api<LinkActionResponse>('/api/links/actions', { method: 'POST', body })).lines,
        );
      }
      return lines;
    },
    onSuccess: async (lines, request) => {
      if (request.action === 'add_tags') void reloadQueries(queries, [TAGS]);
      await reloadQueries(queries, [LINKS_KEY]);
      onDone(lines, request);
    },
    // Earlier requests may have succeeded.
    onError: () => void reloadQueries(queries, [LINKS_KEY]),
  });
}

export const useShortenMany = (onDone: (response: BulkResponse) => void) =>
  useSend(
    (longUrls: string[]) =>
      api<BulkResponse>('/api/shorten/bulk', { method: 'POST', body: { longUrls } }),
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

export function useTags() {
  return useQuery({
    queryKey: [TAGS],
    queryFn: async ({ signal }) => (await api<TagsResponse>('/api/tags', { signal })).tags,
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
    [[TAGS], [LINKS_KEY]],
    undefined,
    { waits: true },
  );
