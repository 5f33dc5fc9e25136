import { sql } from 'drizzle-orm';
import { isLinkKey, linkKey, type DomainId } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import type { Db } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';

/**
 * Returns the key of the link that a report is about, from what people paste: 'abc', 'abc+' or a
 * whole short URL on any host. The report form of a disabled link sends the key. A domain that has
 * lost its host is found by its name, so that the report does not reach a link with the same code on
 * the deployment's own host.
 */
export async function findReportedKey(db: Db, pasted: string): Promise<LinkKey> {
  const text = pasted
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/(?:\+|%2b)?\/*$/i, '');
  if (isLinkKey(text)) return text;
  const [, scheme, host = '', path = ''] = /^(https?:\/\/)?([^/]*)(?:\/+(.*))?$/is.exec(text) ?? [];
  // A host has a dot or a port, and a code has neither.
  if (scheme === undefined && !/[.:]/.test(host)) return text.replace(/^\/+/, '');
  const hostname = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
  const { id } = await db.get<{ id: DomainId | null }>(sql`select coalesce(
    (select domain_id from ${domain_hosts} where host = ${hostname}),
    (select id from ${domains} where name = ${hostname} order by created_at desc limit 1)) as id`);
  return id === null ? path : linkKey(id, path);
}
