import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AnalyticsResponse, Range } from '#contract/analytics.ts';
import { apiIfChanged } from '#web/shared/api.ts';
import type { WithETag } from '#web/shared/api.ts';

/** How often a visible page reloads the report. The server answers 304 while nothing has changed. */
export const REFETCH_INTERVAL_MS = 10_000;

/**
 * The analytics of one link, reloaded while the page is visible. While another range loads, the previous data stays.
 * `dataUpdatedAt` is the time of the last response, even if nothing had changed.
 */
export function useAnalytics(code: string, range: Range): UseQueryResult<AnalyticsResponse> {
  const queries = useQueryClient();
  const queryKey = ['analytics', code, range];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      apiIfChanged<AnalyticsResponse>(
        `/api/analytics/${encodeURIComponent(code)}?range=${range}`,
        queries.getQueryData<WithETag<AnalyticsResponse>>(queryKey),
        { signal },
      ),
    select: ({ body }) => body,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
    refetchIntervalInBackground: false,
    retry: 1,
  });
}
