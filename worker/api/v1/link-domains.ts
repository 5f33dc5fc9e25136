import type { Context } from 'hono';
import { DEFAULT_DOMAIN, type DomainId } from '#contract/codes/domain-key.ts';
import { domainIdsOf } from '#worker/db/domain-names.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { requireKey } from '#worker/http/validate.ts';
import {
  findDefaultDomain,
  findUsableDomain,
  findUsableDomains,
  type UsableDomain,
} from '#worker/domains/usable-domain.ts';
import { linkError } from '#worker/links/write/link-errors.ts';

type C = Context<ApiEnv>;

/** By the name in the request; undefined for a link that names none. */
export type NamedDomains = ReadonlyMap<string | undefined, UsableDomain>;

/**
 * Finds the domains of new links, each once. A link that names none gets the account's default
 * domain; the links of a key with a code prefix are on the deployment's own short host.
 */
export async function findDomains(
  c: C,
  links: readonly { domain?: string | undefined }[],
): Promise<NamedDomains> {
  const { userId, codePrefix, defaultDomain, domains } = requireKey(c);
  const db = c.get('db');
  const names = [...new Set(links.map(({ domain }) => domain))];
  // The key knows all names of the account, so that a list of unknown ones costs no reads.
  const known = names.flatMap((name) =>
    name !== undefined && domainIdsOf(domains, name).length > 0 ? [name] : [],
  );
  const found = await findUsableDomains(db, userId, known);
  const findNamed = async (name: string | undefined): Promise<UsableDomain> => {
    if (name !== undefined) return found.get(name) ?? { ok: false, reason: 'unknown_domain' };
    if (codePrefix !== '') return { ok: true, id: DEFAULT_DOMAIN };
    return { ok: true, id: await findDefaultDomain(db, userId, defaultDomain) };
  };
  return new Map(
    await Promise.all(names.map(async (name) => [name, await findNamed(name)] as const)),
  );
}

/** The domain that a change names; undefined if it names none. Throws if the key cannot use it. */
export async function domainOfChange(
  c: C,
  name: string | undefined,
): Promise<DomainId | undefined> {
  if (name === undefined) return undefined;
  const found = await findUsableDomain(c.get('db'), requireKey(c).userId, name);
  if (!found.ok) throw linkError({ ...found, values: { domain: name } }, c.get('now'));
  return found.id;
}
