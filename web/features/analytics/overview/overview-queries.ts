import { queryOptions } from '@tanstack/react-query';
import type { CompareResponse, OverviewResponse } from '#contract/reports/overview.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { searchOf, type Selection } from '#web/features/analytics/range.ts';
import { domainFromAddress } from '#web/shared/link-settings/domain-choices.ts';
import { api } from '#web/shared/api/api.ts';

/**
 * The tag, the host of the destination and the domain whose links are counted, as in the address of
 * the page; '' for all.
 */
export type OverviewScope = { tag: string; host: string; domain: string };

/** Returns the query of a request for the overview. */
export function overviewSearch(range: Selection, scope: OverviewScope): string {
  const rest = Object.entries(scope)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [name, name === 'domain' ? domainFromAddress(value) : value]);
  return [searchOf(range), ...(rest.length > 0 ? [new URLSearchParams(rest).toString()] : [])].join(
    '&',
  );
}

export const overviewOptions = (search: string) =>
  queryOptions({
    queryKey: ['overview', search],
    queryFn: ({ signal }) => api<OverviewResponse>(`/api/analytics?${search}`, { signal }),
    staleTime: MINUTE_MS,
  });

export const compareOptions = (search: string) =>
  queryOptions({
    queryKey: ['overview', 'compare', search],
    queryFn: ({ signal }) => api<CompareResponse>(`/api/overview/compare?${search}`, { signal }),
    staleTime: MINUTE_MS,
  });
