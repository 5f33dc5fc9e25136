import type { Context } from 'hono';
import { DEFAULT_DOMAIN, linkKey, type DomainId } from '#contract/codes/domain-key.ts';
import { findDefaultDomain, findUsableDomain } from '#worker/domains/usable-domain.ts';
import { syncSharedHosts } from '#worker/domains/sync-shared-hosts.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { requireMember } from '#worker/http/validate.ts';
import { configuredDomains } from '#worker/redirect/configured-domains.ts';
import type { OwnLink } from './read/own-link.ts';
import { linkError } from './write/link-errors.ts';

/** The domain with this name, for links of the caller. Throws if they cannot make links there. */
export async function domainNamed(c: Context<ApiEnv>, name: string): Promise<DomainId> {
  if (name === '') return DEFAULT_DOMAIN;
  const find = () => findUsableDomain(c.get('db'), requireMember(c).id, name);
  let found = await find();
  const isShared = configuredDomains(c.env).shared.has(name.toLowerCase());
  // The first link on a host that SHORT_HOSTS has just named.
  if (!found.ok && isShared && (await syncSharedHosts(c.env, c.get('now'))) > 0) {
    found = await find();
    if (found.ok) await nameDomainsOf(c, [{ code: linkKey(found.id, '') }]);
  }
  if (!found.ok) throw linkError({ ...found, values: { domain: name } }, c.get('now'));
  return found.id;
}

/** The domain of a new link: the one that the request names, or the member's default. */
export async function domainOfNewLink(
  c: Context<ApiEnv>,
  name: string | undefined,
): Promise<DomainId> {
  if (name !== undefined) return domainNamed(c, name);
  const identity = c.get('identity');
  if (identity === null) return DEFAULT_DOMAIN;
  return findDefaultDomain(c.get('db'), identity.id, identity.defaultDomain);
}

/**
 * Adds to the request's origins the domains of these links that the caller no longer has, so that
 * their short URLs can be shown.
 */
export async function nameDomainsOf(
  c: Context<ApiEnv>,
  links: readonly Pick<OwnLink, 'code'>[],
): Promise<void> {
  const keys = links.map(({ code }) => code);
  c.set('origins', await nameDomains(c.get('db'), c.get('origins'), keys));
}
