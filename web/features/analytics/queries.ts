import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AnalyticsResponse, Range } from '#contract/analytics.ts';
import { api } from '#web/shared/api.ts';

/** How often an open page asks again, in ms. The server answers 304 while nothing has changed. */
export const LIVE_EVERY = 10_000;

/** The report of one link. It stays on screen, dimmed, while another range loads, and renews itself while the page is seen. */
export function useAnalytics(code: string, range: Range): UseQueryResult<AnalyticsResponse> {
  return useQuery({
    queryKey: ['analytics', code, range],
    queryFn: ({ signal }) => api<AnalyticsResponse>(`/api/analytics/${encodeURIComponent(code)}?range=${range}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_EVERY,
    refetchIntervalInBackground: false,
    retry: 1,
  });
}
