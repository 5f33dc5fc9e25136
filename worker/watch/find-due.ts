import { sql, type SQL } from 'drizzle-orm';
import type { HealthReason, HealthState, WatchMode } from '#contract/links/watch.ts';
import { jsonList } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { isActive } from '#worker/db/link-status.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { check_hosts, link_check_steps, link_health } from '#worker/db/schema-health.ts';
import { links } from '#worker/db/schema-links.ts';
import { counters } from '#worker/db/schema-system.ts';
import { withoutTrailingDot } from '#worker/http/origins.ts';
import { readShardTotals } from '#worker/links/read/shard-totals.ts';
import type { Health } from './health.ts';
import type { CheckStep } from './take-step.ts';

/** A watched link whose next check, or next request of one, is due. Times in ms. */
export type DueLink = {
  id: number;
  userId: string;
  watch: WatchMode;
  hasPassword: boolean;
  isRedirecting: boolean;
  /** The value of `next_check_at`, which a result replaces only if nothing else has. */
  dueAt: number;
  /** Where the link leads now. */
  target: string;
  /** The destination that the owner chose. */
  home: string;
  /** The last click, or when the link got its destination. */
  lastUsedAt: number;
  health: (Health & { fallback: string; mailedAt: number | null }) | null;
  /** The next request. */
  step: CheckStep;
  hasBegun: boolean;
  host: string;
};

type Row = {
  id: number;
  shard: number;
  user_id: string;
  watch: WatchMode;
  has_password: number;
  is_redirecting: number;
  next_check_at: number;
  target: string;
  used_at: number;
  home: string | null;
  fallback: string;
  state: HealthState;
  reason: HealthReason;
  status: number | null;
  fails: number;
  first_failed_at: number | null;
  since: number;
  mailed_at: number | null;
  step_home: string | null;
  url: string;
  method: 'HEAD' | 'GET';
  hops: number;
};

/** In SQL text, because SQLite uses a partial index only if the query repeats its condition. */
const isDue = (now: number): SQL => sql`watch <> 'off' and next_check_at <= ${now}`;

/** True in SQL while a check is due. */
export const hasDueChecks = (now: number): SQL =>
  sql`exists (select 1 from ${links} where ${isDue(now)})`;

/** Returns the links whose checks have been due for the longest time. */
export async function findDueLinks(db: Db, now: number, limit: number): Promise<DueLink[]> {
  const rows =
    await db.all<Row>(sql`select l.id, l.shard, l.user_id, l.watch, l.password_hash <> '' as has_password,
      ${isActive('l')} and coalesce(l.expires_at, ${now + 1}) > ${now} as is_redirecting, l.next_check_at, l.target,
      max(l.created_at, coalesce(l.imported_at, 0), coalesce(l.target_changed_at, 0), l.ranked_last_click_at,
        coalesce(totals.last_at, 0)) as used_at,
      health.home, health.fallback, health.state, health.reason, health.status, health.fails, health.first_failed_at,
      health.since, health.mailed_at, step.home as step_home, step.url, step.method, step.hops
    from (select * from ${links} where ${isDue(now)} order by next_check_at limit ${limit}) as l
    left join ${link_totals} as totals on totals.link_id = l.id
    left join ${link_health} as health on health.link_id = l.id and l.target in (health.home, health.fallback)
    left join ${link_check_steps} as step on step.link_id = l.id order by l.next_check_at, l.id`);
  const elsewhere = await readShardTotals(db, rows);
  return rows.map((row) => toDueLink(row, elsewhere.get(row.id)?.last_at ?? 0));
}

function toDueLink(row: Row, lastClickAt: number): DueLink {
  const home = row.home ?? row.target;
  const hasBegun = row.step_home === home;
  const step: CheckStep = hasBegun
    ? { url: row.url, method: row.method, hops: row.hops }
    : { url: home, method: 'HEAD', hops: 0 };
  return {
    id: row.id,
    userId: row.user_id,
    watch: row.watch,
    hasPassword: row.has_password === 1,
    isRedirecting: row.is_redirecting === 1,
    dueAt: row.next_check_at,
    target: row.target,
    home,
    lastUsedAt: Math.max(row.used_at, lastClickAt),
    health: row.home === null ? null : toHealth(row),
    step,
    hasBegun,
    host: hostOfAddress(step.url),
  };
}

const toHealth = (row: Row): NonNullable<DueLink['health']> => ({
  state: row.state,
  reason: row.reason,
  status: row.status,
  fails: row.fails,
  firstFailedAt: row.first_failed_at,
  since: row.since,
  fallback: row.fallback,
  mailedAt: row.mailed_at,
});

export const hostOfAddress = (href: string): string =>
  withoutTrailingDot(URL.parse(href)?.hostname ?? '');

/** When each of these hosts may get its next request. Hosts that may get one now can be missing. */
export async function readFreeTimes(
  db: Db,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.all<{ host: string; free_at: number }>(
    sql`select host, free_at from ${check_hosts} where host in ${jsonList(hosts)}`,
  );
  return new Map(rows.map(({ host, free_at }) => [host, free_at]));
}

/** How many links still have a due check; counting stops at `most`. */
export async function countDue(db: Db, now: number, most: number): Promise<number> {
  const [row] = await db.all<{ n: number }>(
    sql`select count(*) as n from (select 1 from ${links} where ${isDue(now)} limit ${most})`,
  );
  return row?.n ?? 0;
}

/** The key of the counter of checks of a day (UTC). */
export const checksKey = (day: number): string => `checks:${day}`;

export async function readChecksOf(db: Db, day: number): Promise<number> {
  const [row] = await db.all<{ count: number }>(
    sql`select count from ${counters} where key = ${checksKey(day)}`,
  );
  return row?.count ?? 0;
}
