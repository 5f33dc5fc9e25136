import { DEFAULT_DOMAIN, splitKey } from '#contract/domain-key.ts';
import type { LinkKey } from '#contract/link-key.ts';
import type { ShortOrigins } from './origins.ts';

/**
 * The short URL of a link. On a domain it has the scheme and the port of the deployment's own short
 * host. `nameDomains` provides the names; without one, the URL leads nowhere, and never to a link
 * with the same code on another host.
 */
export function shortUrlOf({ short, domains }: ShortOrigins, key: LinkKey): string {
  const { domain, code } = splitKey(key);
  if (domain === DEFAULT_DOMAIN) return `${short}/${code}`;
  return `${originOnHost(short, domains.get(domain) ?? `${domain}.invalid`)}/${code}`;
}

/** The same origin on another host. */
export function originOnHost(origin: string, host: string): string {
  const url = new URL(origin);
  url.hostname = host;
  return url.origin;
}
