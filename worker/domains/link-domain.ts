import { sql, type SQL } from 'drizzle-orm';
import type { LinkDomain } from '#contract/abuse.ts';
import { domains } from '#worker/db/schema-domains.ts';
import { links } from '#worker/db/schema-links.ts';

/** SQL for the domain of a row of `links`, for `parseLinkDomain`. */
export const selectLinkDomain = (): SQL<string | null> =>
  sql<string | null>`(select json_array(name, owner_id = '', status = 'suspended') from ${domains}
    where ${domains}.id = ${links}.domain_id and ${links}.domain_id <> '')`;

export function parseLinkDomain(json: string | null): LinkDomain | null {
  if (json === null) return null;
  const [host, isShared, isSuspended]: [string, 0 | 1, 0 | 1] = JSON.parse(json);
  return { host, is_shared: isShared === 1, is_suspended: isSuspended === 1 };
}
