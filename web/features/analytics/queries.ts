import {
  keepPreviousData,
  queryOptions,
  useQuery,
  type QueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { AnalyticsResponse, Range } from '#contract/analytics.ts';
import { RequestError, apiIfChanged, type WithETag } from '#web/shared/api.ts';

/**
 * How often a visible page reloads the report. The server answers 304 while nothing has changed.
 */
export const REFETCH_INTERVAL_MS = 10_000;

/** The report of a link, read again only if it has changed. */
export const reportQuery = (code: string, range: Range) =>
  queryOptions({
    queryKey: ['analytics', code, range],
    queryFn: ({ client, queryKey, signal }) =>
      apiIfChanged<AnalyticsResponse>(
        `/api/analytics/${encodeURIComponent(code)}?range=${range}`,
        client.getQueryData<WithETag<AnalyticsResponse>>(queryKey),
        { signal },
      ),
  });

/**
 * The analytics of one link, reloaded while the page is visible. While another range loads, the
 * previous data stays. `dataUpdatedAt` is the time of the last response, even if nothing had
 * changed.
 */
export function useAnalytics(code: string, range: Range): UseQueryResult<AnalyticsResponse> {
  return useQuery({
    ...reportQuery(code, range),
    select: ({ body }) => body,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
    refetchIntervalInBackground: false,
    retry: 1,
  });
}

/**
 * The newest report of a link that has loaded, of any range, with the time when it did (ms). It
 * stays in view when another range cannot be loaded.
 */
export function findNewestReport(
  queries: QueryClient,
  code: string,
): { report: AnalyticsResponse; updatedAt: number } | null {
  const [newest] = queries
    // The key of a filtered report is longer.
    .getQueriesData<WithETag<AnalyticsResponse>>({
      queryKey: ['analytics', code],
      predicate: ({ queryKey }) => queryKey.length === 3,
    })
    .map(([key, data]) => ({
      report: data?.body,
      updatedAt: queries.getQueryState(key)?.dataUpdatedAt ?? 0,
    }))
    .filter(({ report }) => report !== undefined)
    .sort((a, b) => b.updatedAt - a.updatedAt);
  return newest?.report === undefined
    ? null
    : { report: newest.report, updatedAt: newest.updatedAt };
}

/**
 * Whether the server says that this member may not see the report, now or ever: unlike a failure,
 * that clears it from view.
 */
export const isDenied = (error: Error | null): boolean =>
  error instanceof RequestError && [401, 403, 404].includes(error.status);
