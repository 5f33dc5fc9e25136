import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AnalyticsResponse, Range } from '#contract/analytics.ts';
import { apiIfChanged } from '#web/shared/api.ts';
import type { Tagged } from '#web/shared/api.ts';

/** How often an open page asks again, in ms. The server answers 304 while nothing has changed. */
export const REFETCH_INTERVAL_MS = 10_000;

/**
 * The report of one link. It stays on screen, dimmed, while another range loads, and renews itself while the page is seen;
 * `dataUpdatedAt` of the result is when the server last confirmed it, changed or not.
 */
export function useAnalytics(code: string, range: Range): UseQueryResult<AnalyticsResponse> {
  const queries = useQueryClient();
  const queryKey = ['analytics', code, range];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      apiIfChanged<AnalyticsResponse>(
        `/api/analytics/${encodeURIComponent(code)}?range=${range}`,
        queries.getQueryData<Tagged<AnalyticsResponse>>(queryKey),
        { signal },
      ),
    select: ({ body }) => body,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
    refetchIntervalInBackground: false,
    retry: 1,
  });
}
