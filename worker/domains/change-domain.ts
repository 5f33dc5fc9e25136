import { sql } from 'drizzle-orm';
import type { DomainId } from '#contract/codes/domain-key.ts';
import type { Db } from '#worker/db/client.ts';
import { domains } from '#worker/db/schema-domains.ts';
import { users } from '#worker/db/schema-users.ts';
import { mayUseDomains } from './usable-domain.ts';

/** The pages of a domain as hrefs; '' removes one. Undefined pages stay unchanged. */
export type DomainPages = { rootUrl?: string | undefined; notFoundUrl?: string | undefined };

/**
 * Changes the pages of a member's own domain. A trigger adds its hosts to the outbox. Returns false
 * if the member has no such domain.
 */
export async function changeDomain(
  db: Db,
  ownerId: string,
  name: string,
  { rootUrl, notFoundUrl }: DomainPages,
): Promise<boolean> {
  const changed = await db.all(sql`update ${domains} set version = version + 1,
      root_url = coalesce(${rootUrl ?? null}, root_url),
      not_found_url = coalesce(${notFoundUrl ?? null}, not_found_url)
    where owner_id = ${ownerId} and owner_id <> '' and name = ${name} and status = 'active'
    returning id`);
  return changed.length > 0;
}

/** Sets the domain for new links of a member, while they may use it. Returns whether it was set. */
export async function setDefaultDomain(db: Db, userId: string, id: DomainId): Promise<boolean> {
  const changed = await db.all(sql`update ${users} set default_domain = ${id}
    where id = ${userId} and ${mayUseDomains([id], userId)} returning id`);
  return changed.length > 0;
}
