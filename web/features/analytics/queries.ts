import {
  keepPreviousData,
  queryOptions,
  useQuery,
  type QueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { isYoung, searchOf, type Selection } from './range.ts';
import { watchInterval } from '#web/shared/link-settings/watch-interval.ts';
import { RequestError, apiIfChanged, type WithETag } from '#web/shared/api/api.ts';

/**
 * How often a visible page reloads the report, except that of a young link without clicks. The
 * server responds with 304 if nothing has changed.
 */
export const REFETCH_INTERVAL_MS = 10_000;

/**
 * Loads the report of a link for a range; null for the one that the page opens on. The server sends
 * it again only if it has changed.
 */
export const reportQuery = (code: string, range: Selection | null) =>
  queryOptions({
    queryKey: ['analytics', code, searchOf(range)],
    queryFn: ({ client, queryKey, signal }) =>
      apiIfChanged<AnalyticsResponse>(
        `/api/analytics/${encodeURIComponent(code)}?${searchOf(range)}`,
        client.getQueryData<WithETag<AnalyticsResponse>>(queryKey),
        { signal },
      ),
  });

/**
 * Loads the analytics of one link, and again while the page is visible. The previous data stays
 * while another range loads. `dataUpdatedAt` is the time of the last response, even if nothing
 * changed.
 */
export function useAnalytics(
  code: string,
  range: Selection | null,
): UseQueryResult<AnalyticsResponse> {
  return useQuery({
    ...reportQuery(code, range),
    select: ({ body }) => (range === null ? wholeLifeIfYoung(body) : body),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data === undefined
        ? REFETCH_INTERVAL_MS
        : watchInterval(
            { clicks: data.body.lifetime.totalClicks, created_at: data.body.url.created_at },
            Date.now(),
            REFETCH_INTERVAL_MS,
          ),
    refetchIntervalInBackground: false,
    retry: 1,
  });
}

/**
 * The range that the page opens on covers the whole life of a younger link, so its report is the
 * one for all time.
 */
const wholeLifeIfYoung = (report: AnalyticsResponse): AnalyticsResponse =>
  isYoung(report) ? { ...report, range: 'all', period: { ...report.period, from: null } } : report;

/**
 * Returns the newest loaded report of a link, of any range, with its loading time in ms. It stays
 * in view if another range fails to load.
 */
export function findNewestReport(
  queries: QueryClient,
  code: string,
): { report: AnalyticsResponse; updatedAt: number } | null {
  const [newest] = queries
    // The keys of filtered reports are longer.
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
 * True if the server says that this member may not see the report. Unlike a failure, that removes a
 * shown report.
 */
export const isDenied = (error: Error | null): boolean =>
  error instanceof RequestError && [401, 403, 404].includes(error.status);
