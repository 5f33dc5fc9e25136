import { sql, type SQL } from 'drizzle-orm';
import { DEFAULT_DOMAIN, splitKey, type DomainId } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { jsonList } from './batch.ts';
import type { Db } from './client.ts';
import { domains } from './schema-domains.ts';

/** The hosts of domains, by id. */
export type DomainNames = ReadonlyMap<DomainId, string>;

export const NO_DOMAINS: DomainNames = new Map();

/**
 * SQL for the names of the domains on which a member has links or can create some, as JSON for
 * `parseDomainNames`. Callers are identified with it, so that their short URLs need no further read.
 * Of several domains with one name, the one that can be used comes first.
 */
export const domainNamesOf = (userId: SQL | string): SQL<string> =>
  sql<string>`(select json_group_array(json_array(id, name)) from (select id, name from ${domains}
    where owner_id in ('', ${userId}) order by status = 'deleted', created_at desc))`;

export const parseDomainNames = (json: string): DomainNames => new Map(JSON.parse(json));

/**
 * The domains that have this host as their name, among known ones, the present one first. A member
 * has several if a host was lost and came back. '' is the deployment's own short host.
 */
export function domainIdsOf(names: DomainNames, host: string): DomainId[] {
  if (host === '') return [DEFAULT_DOMAIN];
  return [...names].flatMap(([id, name]) => (name === host.toLowerCase() ? [id] : []));
}

/**
 * Adds the names of the domains of these keys, and reads those that are not known yet. Reads nothing
 * if there are none, which is the rule.
 */
export async function nameDomains<Origins extends { domains: DomainNames }>(
  db: Db,
  origins: Origins,
  keys: Iterable<LinkKey>,
): Promise<Origins> {
  const missing = new Set([...keys].map((key) => splitKey(key).domain));
  missing.delete(DEFAULT_DOMAIN);
  for (const id of origins.domains.keys()) missing.delete(id);
  if (missing.size === 0) return origins;
  const rows = await db.all<{ id: DomainId; name: string }>(
    sql`select id, name from ${domains} where id in ${jsonList([...missing])}`,
  );
  const found = rows.map(({ id, name }) => [id, name] as const);
  return { ...origins, domains: new Map([...origins.domains, ...found]) };
}
