import { DEFAULT_DOMAIN, splitKey, type DomainId } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import type { DomainNames } from '#worker/db/domain-names.ts';
import type { ShortOrigins } from './origins.ts';

/**
 * The short URL of a link. On a domain it has the scheme and the port of the deployment's own short
 * host. `nameDomains` provides the names; without one, the URL leads nowhere, and never to a link
 * with the same code on another host.
 */
export function shortUrlOf({ short, domains }: ShortOrigins, key: LinkKey): string {
  const { domain, code } = splitKey(key);
  const host = nameOf(domains, domain);
  return host === '' ? `${short}/${code}` : `${originOnHost(short, host)}/${code}`;
}

/** The host of a link's domain; '' for the deployment's own short host. */
export const domainNameOf = ({ domains }: Pick<ShortOrigins, 'domains'>, key: LinkKey): string =>
  nameOf(domains, splitKey(key).domain);

const nameOf = (domains: DomainNames, id: DomainId): string =>
  id === DEFAULT_DOMAIN ? '' : (domains.get(id) ?? `${id}.invalid`);

/** The same origin on another host. */
export function originOnHost(origin: string, host: string): string {
  const url = new URL(origin);
  url.hostname = host;
  return url.origin;
}
