import { env } from 'cloudflare:test';
import type { DomainId } from '#contract/domain-key.ts';
import { openDb } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';

let serial = 0;

/** Stores an active domain with a proven host. Without an owner it is a host of the operator. */
export async function addDomain(host: string, ownerId = ''): Promise<DomainId> {
  serial += 1;
  const id = `d.${String(serial).padStart(10, 'a')}`;
  const now = Date.now();
  const db = openDb(env.DB);
  await db.batch([
    db.insert(domains).values({ id, owner_id: ownerId, name: host, created_at: now }),
    db.insert(domain_hosts).values({
      host,
      domain_id: id,
      saas_status: ownerId === '' ? '' : 'active',
      ssl_status: ownerId === '' ? '' : 'active',
      proven_at: ownerId === '' ? null : now,
      active_at: ownerId === '' ? null : now,
      created_at: now,
    }),
  ]);
  return id;
}
