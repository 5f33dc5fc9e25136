import { asc, eq, or } from 'drizzle-orm';
import type { AccountExport } from '#contract/account/account.ts';
import type { Db } from '#worker/db/client.ts';
import {
  domain_claims,
  domain_hosts,
  domain_transfers,
  domains,
} from '#worker/db/schema-domains.ts';
import { users } from '#worker/db/schema-users.ts';

const timestamp = (ms: number): string => new Date(ms).toISOString();
const timesOf = ({ created_at, expires_at }: { created_at: number; expires_at: number }) => ({
  created_at: timestamp(created_at),
  expires_at: timestamp(expires_at),
});

/**
 * Returns the domains of an account, the hosts that it has claimed, and the offers that it has made
 * or got. An own offer does not name its receiver, because that would tell who has an account.
 */
export async function exportDomains(
  db: Db,
  userId: string,
): Promise<Pick<AccountExport, 'domains' | 'domain_claims' | 'domain_offers'>> {
  const [ownDomains, claims, offers] = await db.batch([
    db
      .select({
        name: domains.name,
        status: domains.status,
        suspended_reason: domains.suspended_reason,
        root_url: domains.root_url,
        not_found_url: domains.not_found_url,
        created_at: domains.created_at,
        proven_at: domain_hosts.proven_at,
      })
      .from(domains)
      .leftJoin(domain_hosts, eq(domain_hosts.domain_id, domains.id))
      .where(eq(domains.owner_id, userId))
      .orderBy(asc(domains.created_at), asc(domains.id)),
    db
      .select({
        host: domain_claims.host,
        created_at: domain_claims.created_at,
        expires_at: domain_claims.expires_at,
      })
      .from(domain_claims)
      .where(eq(domain_claims.owner_id, userId))
      .orderBy(asc(domain_claims.host)),
    db
      .select({
        name: domains.name,
        from_id: domain_transfers.from_id,
        from: users.email,
        created_at: domain_transfers.created_at,
        expires_at: domain_transfers.expires_at,
      })
      .from(domain_transfers)
      .innerJoin(domains, eq(domains.id, domain_transfers.domain_id))
      .leftJoin(users, eq(users.id, domain_transfers.from_id))
      .where(or(eq(domain_transfers.from_id, userId), eq(domain_transfers.to_id, userId)))
      .orderBy(asc(domains.name)),
  ]);
  return {
    domains: ownDomains.map((domain) =>
      Object.assign(domain, {
        created_at: timestamp(domain.created_at),
        proven_at: domain.proven_at === null ? null : timestamp(domain.proven_at),
      }),
    ),
    domain_claims: claims.map((claim) => Object.assign(claim, timesOf(claim))),
    domain_offers: offers.map(({ from_id, ...offer }) =>
      Object.assign(offer, {
        from: from_id === userId ? null : offer.from,
        ...timesOf(offer),
      }),
    ),
  };
}
