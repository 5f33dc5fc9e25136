import { eq } from 'drizzle-orm';
import { isLinkKey, linkKey } from '#contract/domain-key.ts';
import type { LinkKey } from '#contract/link-key.ts';
import type { Db } from '#worker/db/client.ts';
import { domain_hosts } from '#worker/db/schema-domains.ts';

/**
 * Returns the key of the link that a report is about, from what people paste: 'abc', 'abc+' or a
 * whole short URL on any host. The report form of a disabled link sends the key.
 */
export async function findReportedKey(db: Db, pasted: string): Promise<LinkKey> {
  const text = pasted
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/(?:\+|%2b)?\/*$/i, '');
  if (isLinkKey(text)) return text;
  const [, scheme, host = '', path = ''] = /^(https?:\/\/)?([^/]*)\/+(.*)$/is.exec(text) ?? [];
  // A host has a dot or a port, and a code has neither.
  if (scheme === undefined && !/[.:]/.test(host)) return text.replace(/^\/+/, '');
  const hostname = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
  const domain = await db
    .select({ id: domain_hosts.domain_id })
    .from(domain_hosts)
    .where(eq(domain_hosts.host, hostname))
    .get();
  return domain === undefined ? path : linkKey(domain.id, path);
}
