import { keepPreviousData, useQueries } from '@tanstack/react-query';
import type { LinkActivity, LinkActivityResponse } from '#contract/links/link-activity.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { api } from '#web/shared/api/api.ts';
import { LINKS_KEY } from './queries.ts';

/** Loads the clicks of the last days of these links, at most a page of them. */
export const activityQuery = (ids: readonly number[]) => ({
  // The key is below the list's key, so that reloading the list also reloads the clicks.
  queryKey: [LINKS_KEY, 'activity', ids.join()],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await api<LinkActivityResponse>(`/api/link-activity?ids=${ids.join()}`, { signal })).links,
});

/**
 * Loads the activity of the shown links after the list, with one request for each page of it. Links
 * without clicks have none, so they are not asked for.
 */
export function useActivity(links: readonly ListedLink[]): ReadonlyMap<number, LinkActivity> {
  const ids = links.filter(({ click_count: clicks }) => clicks > 0).map(({ id }) => id);
  const pages = Array.from({ length: Math.ceil(ids.length / PAGE_SIZE) }, (_, page) =>
    ids.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
  );
  return useQueries({
    queries: pages.map((page) =>
      Object.assign(activityQuery(page), { placeholderData: keepPreviousData }),
    ),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data ?? []).map((one) => [one.id, one])),
  });
}
