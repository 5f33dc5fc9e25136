import type { DomainsResponse } from '#contract/domains.ts';
import { config, shortHost } from '#web/shared/page/config.ts';

type List = Pick<DomainsResponse, 'domains' | 'defaultDomain'>;

/**
 * The domains on which the member can make links, as choices of a select: '' is the deployment's
 * own short host. `chosen` stays a choice even if it no longer is one.
 */
export function domainChoices(list: List | undefined, chosen = ''): (readonly [string, string])[] {
  const usable = list?.domains.filter(({ state }) => state === 'active' || state === 'failing');
  const known = usable?.map(({ name, displayName: shown }) => [name, shown] as const) ?? [];
  return [
    ['', shortHost()],
    ...known,
    ...(chosen === '' || known.some(([name]) => name === chosen)
      ? []
      : [[chosen, chosen] as const]),
  ];
}

/** The domain of a new link: the chosen one, or the member's default domain. */
export const chosenDomain = (list: List | undefined, domain: string | undefined): string =>
  domain ?? list?.defaultDomain ?? '';

/** The origin of short URLs on a domain, which has scheme and port of the deployment's own host. */
export function domainOrigin(domain: string): string {
  const url = new URL(config.shortOrigin);
  if (domain !== '') url.hostname = domain;
  return url.origin;
}

/**
 * A domain in the address of a page. There '' is no filter, so the deployment's own short host has
 * its name; the API calls it ''.
 */
export const domainInAddress = (name: string): string => (name === '' ? shortHost() : name);
export const domainFromAddress = (name: string): string => (name === shortHost() ? '' : name);
