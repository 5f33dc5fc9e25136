import { env } from 'cloudflare:test';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { openDb } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';
import { newDomainId } from '#worker/domains/domain-id.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';

/**
 * Stores a domain to which a host of the same name leads. Without `owner` it is one of the operator;
 * with `isReady: false` its host is proven and not connected yet.
 */
export async function makeDomain(
  name: string,
  {
    owner = '',
    isReady = true,
    ...given
  }: Partial<typeof domains.$inferInsert> & { owner?: string; isReady?: boolean } = {},
): Promise<DomainId> {
  const db = openDb(env.DB);
  const id = newDomainId(cryptoRandom, owner === '');
  await db.insert(domains).values({ id, owner_id: owner, name, created_at: 1, ...given });
  await db.insert(domain_hosts).values({
    host: name,
    domain_id: id,
    proven_at: owner === '' ? null : 1,
    active_at: isReady ? 1 : null,
    created_at: 1,
  });
  return id;
}
