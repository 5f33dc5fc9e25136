import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Domain, DomainDetail, DomainsResponse } from '#contract/domains.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { api } from '#web/shared/api/api.ts';
import { reloadQueries } from '#web/shared/api/reload-queries.ts';
import { useSend } from '#web/shared/api/use-send.ts';

const KEY = 'domains';
const LINKS = ['my-urls'];
export const DOMAIN_QUERIES = [[KEY]];
/** For a domain that comes or goes: lists of links say why those on it do not redirect. */
export const DOMAIN_AND_LINK_QUERIES = [[KEY], LINKS];
export const domainPath = (name: string): string => `/api/domains/${encodeURIComponent(name)}`;

const listQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => api<DomainsResponse>('/api/domains', { signal }),
});
export const useDomains = () => useQuery(listQuery);

/** What deleting a domain would stop. */
export const useDomainDetail = (name: string) =>
  useQuery({
    queryKey: [KEY, 'detail', name],
    queryFn: ({ signal }) => api<DomainDetail>(domainPath(name), { signal }),
  });

const transferPath = (name: string): string => `${domainPath(name)}/transfer`;
export const useOfferDomain = (name: string, onDone: () => void) =>
  useSend(
    (email: string) => api(transferPath(name), { method: 'POST', body: { email } }),
    DOMAIN_QUERIES,
    onDone,
  );
export const acceptOffer = (name: string): Promise<Domain> =>
  api<Domain>(`${transferPath(name)}/accept`, { method: 'POST', body: {} });
/** The receiver declines an offer, its sender withdraws it. */
export const useEndOffer = (onDone: () => void) =>
  useSend((name: string) => api(transferPath(name), { method: 'DELETE' }), DOMAIN_QUERIES, onDone);

export const checkDomainNow = (name: string): Promise<Domain> =>
  api<Domain>(`${domainPath(name)}/check`, { method: 'POST', body: {} });

/** Returns a function that replaces a domain of the list by the result of a check. */
export function useShowDomain(): (domain: Domain) => void {
  const queries = useQueryClient();
  return (domain) => {
    const list = queries.getQueryData(listQuery.queryKey);
    if (list === undefined) return;
    const domains = list.domains.map((other) => (other.name === domain.name ? domain : other));
    queries.setQueryData(listQuery.queryKey, { ...list, domains });
    const isChanged = list.domains.some(
      ({ name, state }) => name === domain.name && state !== domain.state,
    );
    if (isChanged) void reloadQueries(queries, LINKS);
  };
}

/** True for a domain that the page checks until it is active. */
export const isWaiting = ({ state, isShared }: Domain): boolean =>
  !isShared && (state === 'unproven' || state === 'pending');

/**
 * The pause in ms before the next check of a domain, which grows with the number of its checks. The
 * server allows five checks a minute: four for all `waiting` domains, and one by hand.
 */
export function pauseAfter(checks: number, waiting: number): number {
  if (checks < 12) return (MINUTE_MS / 4) * waiting;
  return (checks < 30 ? MINUTE_MS / 2 : 2 * MINUTE_MS) * waiting;
}

/**
 * Checks a domain that is not active yet, with growing pauses, while the page is visible. A failure
 * is not shown, because the next check follows.
 */
export function useDomainChecks(domain: Domain): void {
  const { name } = domain;
  const queries = useQueryClient();
  const show = useShowDomain();
  useQuery({
    queryKey: ['domain-check', name],
    queryFn: async () => {
      show(await checkDomainNow(name));
      return null;
    },
    enabled: isWaiting(domain),
    retry: false,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { dataUpdateCount, errorUpdateCount } }) =>
      pauseAfter(
        dataUpdateCount + errorUpdateCount,
        queries.getQueryData(listQuery.queryKey)?.domains.filter(isWaiting).length || 1,
      ),
  });
}

export const useSetDefault = (onDone: (name: string) => void) =>
  useSend(
    async (name: string) => {
      await api('/api/domains/default', { method: 'PUT', body: { name } });
      return name;
    },
    DOMAIN_QUERIES,
    onDone,
    // The select shows the list's default after this, so the list has to be the new one.
    { waits: true },
  );
