import { sql, type SQL } from 'drizzle-orm';
import type { LinkDomain } from '#contract/moderation/abuse.ts';
import { domains } from '#worker/db/schema-domains.ts';
import { links } from '#worker/db/schema-links.ts';

type Stored = { host: string; isShared: 0 | 1; isSuspended: 0 | 1 };

/** SQL for the domain of a row of `links`, for `parseLinkDomain`. */
export const selectLinkDomain = (): SQL<string | null> =>
  sql<
    string | null
  >`(select json_object('host', name, 'isShared', owner_id = '', 'isSuspended', status = 'suspended')
    from ${domains}
    where ${domains}.id = ${links}.domain_id and ${links}.domain_id <> '')`;

export function parseLinkDomain(json: string | null): LinkDomain | null {
  if (json === null) return null;
  const { host, isShared, isSuspended }: Stored = JSON.parse(json);
  return { host, isShared: isShared === 1, isSuspended: isSuspended === 1 };
}
