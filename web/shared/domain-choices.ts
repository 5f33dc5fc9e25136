import type { DomainsResponse } from '#contract/domains.ts';
import { shortHost } from './config.ts';

type List = Pick<DomainsResponse, 'domains' | 'default_domain'>;

/**
 * The domains on which the member can make links, as choices of a select: '' is the deployment's
 * own short host. `chosen` stays a choice even if it no longer is one.
 */
export function domainChoices(list: List | undefined, chosen = ''): (readonly [string, string])[] {
  const usable = list?.domains.filter(({ state }) => state === 'active' || state === 'failing');
  const known = usable?.map(({ name, display_name: shown }) => [name, shown] as const) ?? [];
  return [
    ['', shortHost()],
    ...known,
    ...(chosen === '' || known.some(([name]) => name === chosen)
      ? []
      : [[chosen, chosen] as const]),
  ];
}
