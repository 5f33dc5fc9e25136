import { sql } from 'drizzle-orm';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { jsonList } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';
import { withoutTrailingDot } from '#worker/http/origins.ts';
import { findBlocked } from '#worker/safety/find-blocked.ts';

/**
 * Removes the root pages of domains and their pages for unknown codes that the blocklist contains.
 * They redirect without a link that could be disabled. Returns the hosts of these domains, which the
 * caller publishes.
 */
export async function removeListedPages(db: Db): Promise<string[]> {
  const rows = await db.all<{ root_url: string; not_found_url: string }>(
    sql`select root_url, not_found_url from ${domains}
      where status <> 'deleted' and (root_url <> '' or not_found_url <> '')`,
  );
  const pages = new Set(rows.flatMap(({ root_url, not_found_url }) => [root_url, not_found_url]));
  pages.delete('');
  if (pages.size === 0) return [];
  const targets = [...pages].map((href) => ({
    href,
    host: withoutTrailingDot(new URL(href).hostname),
  }));
  const blocked = await findBlocked(db, targets);
  const listed = [...blocked].flatMap(([href, why]) => (why === 'on_blocklist' ? [href] : []));
  if (listed.length === 0) return [];
  const isListed = jsonList(listed);
  const changed = await db.all<{ id: DomainId }>(sql`update ${domains} set
      root_url = iif(root_url in ${isListed}, '', root_url),
      not_found_url = iif(not_found_url in ${isListed}, '', not_found_url), version = version + 1
    where root_url in ${isListed} or not_found_url in ${isListed} returning id`);
  const hosts = await db.all<{ host: string }>(sql`select host from ${domain_hosts}
    where domain_id in ${jsonList(changed.map(({ id }) => id))}`);
  return hosts.map(({ host }) => host);
}
