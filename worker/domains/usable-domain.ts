import { sql, type SQL } from 'drizzle-orm';
import { DEFAULT_DOMAIN, type DomainId } from '#contract/codes/domain-key.ts';
import { jsonList } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';

/**
 * Why a member cannot make links on a domain. `unknown_domain` is also the answer for a domain of
 * somebody else.
 */
export type DomainErrorReason = 'unknown_domain' | 'domain_not_ready' | 'domain_suspended';

export type UsableDomain = { ok: true; id: DomainId } | { ok: false; reason: DomainErrorReason };

/**
 * True in SQL while `userId` may make links on the domain of a row of `domains`: it is their own or
 * the operator's, it is not suspended, and a host leads to it that is the operator's or proven and
 * connected.
 */
const isUsable = (userId: SQL | string): SQL =>
  sql`${domains}.owner_id in ('', ${userId}) and ${domains}.status = 'active' and ${isReady}`;

const isReady = sql`exists (select 1 from ${domain_hosts} where ${domain_hosts}.domain_id = ${domains}.id
  and (${domains}.owner_id = '' or ${domain_hosts}.active_at is not null))`;

/** True in SQL while `userId` may make links on all these domains. */
export function mayUseDomains(ids: Iterable<DomainId>, userId: string | null): SQL {
  const others = [...new Set(ids)].filter((id) => id !== DEFAULT_DOMAIN);
  if (others.length === 0) return sql`1`;
  if (userId === null) return sql`0`;
  return sql`not exists (select 1 from ${jsonList(others)} as item where not exists (
    select 1 from ${domains} where ${domains}.id = item.value and ${isUsable(userId)}))`;
}

/** True in SQL while all these domains are the member's or the operator's, usable or not. */
export function areOwnDomains(ids: Iterable<DomainId>, userId: string | null): SQL {
  const others = [...new Set(ids)].filter((id) => id !== DEFAULT_DOMAIN);
  if (others.length === 0) return sql`1`;
  return sql`not exists (select 1 from ${jsonList(others)} where value not in (
    select id from ${domains} where owner_id in ('', ${userId})))`;
}

/** Finds the domain of a host for links of a member. '' is the deployment's own short host. */
export async function findUsableDomain(
  db: Db,
  userId: string,
  name: string,
): Promise<UsableDomain> {
  return (await findUsableDomains(db, userId, [name])).get(name) ?? judge(undefined);
}

/** `findUsableDomain` for many names, with one statement. */
export async function findUsableDomains(
  db: Db,
  userId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, UsableDomain>> {
  const hosts = names.map((name) => name.toLowerCase()).filter((host) => host !== '');
  const rows =
    hosts.length === 0
      ? []
      : await db.all<
          Row & { host: string }
        >(sql`select item.value as host, id, status, ${isReady} as ready
        from ${jsonList(hosts)} as item cross join ${domains} on ${domains}.id = coalesce(
          (select domain_id from ${domain_hosts} where ${domain_hosts}.host = item.value),
          (select own.id from ${domains} as own where own.owner_id in ('', ${userId})
            and own.name = item.value and own.status <> 'deleted' limit 1))
        where owner_id in ('', ${userId})`);
  const byHost = new Map(rows.map((row) => [row.host, row]));
  const judgeName = (name: string): UsableDomain =>
    name === '' ? { ok: true, id: DEFAULT_DOMAIN } : judge(byHost.get(name.toLowerCase()));
  return new Map(names.map((name) => [name, judgeName(name)]));
}

/** The domain of this name that a member sees; null for a name that is only claimed. */
export async function findDomainId(db: Db, userId: string, name: string): Promise<DomainId | null> {
  const found = await db.get<{ id: DomainId } | undefined>(sql`select id from ${domains}
    where owner_id in ('', ${userId}) and name = ${name} and status <> 'deleted' limit 1`);
  return found?.id ?? null;
}

/** The domain for new links of a member who names none: the chosen one while it can be used. */
export async function findDefaultDomain(
  db: Db,
  userId: string,
  chosen: DomainId,
): Promise<DomainId> {
  return (await findRefusal(db, userId, chosen)) === null ? chosen : DEFAULT_DOMAIN;
}

type DomainRefusal = Extract<UsableDomain, { ok: false }>;

/** Why a member can no longer make links on a domain; null while they can. */
export async function findRefusal(
  db: Db,
  userId: string,
  id: DomainId,
): Promise<DomainRefusal | null> {
  return (await findRefusals(db, userId, [id])).get(id) ?? null;
}

/** `findRefusal` for many domains, with one statement. The result has only the refused ones. */
export async function findRefusals(
  db: Db,
  userId: string,
  ids: readonly DomainId[],
): Promise<ReadonlyMap<DomainId, DomainRefusal>> {
  const others = ids.filter((id) => id !== DEFAULT_DOMAIN);
  if (others.length === 0) return new Map();
  const rows = await db.all<Row>(sql`select id, status, ${isReady} as ready from ${domains}
    where id in ${jsonList(others)} and owner_id in ('', ${userId})`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    others.flatMap((id) => {
      const result = judge(byId.get(id));
      return result.ok ? [] : [[id, result] as const];
    }),
  );
}

type Row = { id: DomainId; status: (typeof domains.$inferSelect)['status']; ready: number };

function judge(row: Row | undefined): UsableDomain {
  if (row === undefined || row.status === 'deleted') return { ok: false, reason: 'unknown_domain' };
  if (row.status === 'suspended') return { ok: false, reason: 'domain_suspended' };
  return row.ready === 1 ? { ok: true, id: row.id } : { ok: false, reason: 'domain_not_ready' };
}
