import { sql, type SQL } from 'drizzle-orm';
import { openDb, type Db } from '#worker/db/client.ts';
import { jsonList, jsonRows } from '#worker/db/batch.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { blocklist, link_holds } from '#worker/db/schema-moderation.ts';
import { link_destinations, links } from '#worker/db/schema-links.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { publishHosts } from '#worker/edge/publish-hosts.ts';
import { holdLinks, liftHolds } from './holds.ts';
import { removeListedPages } from './remove-listed-pages.ts';
import { hostSuffixes } from '#worker/safety/host-list.ts';
import { HOLD_REASONS } from '#worker/messages/links.ts';

const HOSTS_PER_QUERY = 5000;
const LINKS_PER_BATCH = 500;
/** Links that this run publishes to KV; the outbox job publishes the rest. */
const PUBLISHED_PER_RUN = 300;
/**
 * An entry is marked as applied only once it is this old. By then, every link whose check had
 * passed just before the entry was added is in the table.
 */
const SETTLE_MS = 30_000;

type Stores = Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>;
type Entry = { kind: string; value: string };

/** True in SQL for a hold whose entry was removed from the blocklist. */
const IS_OUTDATED = sql`kind = 'blocklist' and not exists (select 1 from ${blocklist} where ${blocklist}.value = ${link_holds}.value)`;

/** True in SQL while an entry or the removal of one is not applied to all links. */
export const hasUnappliedEntries = () =>
  sql`exists (select 1 from ${blocklist} where applied_at = 0) or exists (select 1 from ${link_holds} where ${IS_OUTDATED})`;

/**
 * Applies the blocklist to existing links: new entries disable them, removed entries release them.
 * Pages of domains that new entries match are removed. Idempotent.
 */
export async function applyBlocklist(
  env: Stores,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const released = await liftHolds(db, IS_OUTDATED, now);
  const pending = await db.all<Entry>(
    sql`select kind, value from ${blocklist} where applied_at = 0`,
  );
  const disabled = pending.length === 0 ? [] : await holdListedLinks(db, pending, now);
  const hosts = pending.length === 0 ? [] : await removeListedPages(db);
  await db.run(sql`update ${blocklist} set applied_at = ${now} where applied_at = 0 and created_at <= ${now - SETTLE_MS}
    and value in ${jsonList(pending.map((entry) => entry.value))}`);
  await publishLinks(
    env,
    [...released, ...disabled].slice(0, Math.min(PUBLISHED_PER_RUN, budget.kvWrites())),
    now,
  );
  if (hosts.length > 0) await publishHosts(env, hosts, now);
  return { done: { links_disabled: disabled.length, links_released: released.length } };
}

async function holdListedLinks(db: Db, pending: Entry[], now: number): Promise<number[]> {
  const hosts = new Set(
    pending.filter((entry) => entry.kind === 'host').map((entry) => entry.value),
  );
  const targets = pending.filter((entry) => entry.kind === 'target').map((entry) => entry.value);
  const changed: number[] = [];
  const sameTarget = sql`links.target = wanted.value and links.target_host = wanted.host`;
  const sameOther = sql`other.href = wanted.value and other.host = wanted.host`;
  const targetRows = targets.map((href) => ({
    host: new URL(href).hostname.replace(/\.$/, ''),
    value: href,
  }));
  changed.push(...(await holdMatches(db, targetRows, toTarget(sameTarget), now)));
  changed.push(...(await holdMatches(db, targetRows, toOther(sameOther), now)));
  if (hosts.size === 0) return changed;
  const atHost = (column: string): SQL => sql`${sql.raw(column)} = wanted.host`;
  for await (const rows of listedHosts(db, hosts, sql`target_host`, links))
    changed.push(...(await holdMatches(db, rows, toTarget(atHost('links.target_host')), now)));
  for await (const rows of listedHosts(db, hosts, sql`host`, link_destinations))
    changed.push(...(await holdMatches(db, rows, toOther(atHost('other.host')), now)));
  return changed;
}

/** The links whose target matches an entry, or another of their destinations. */
const toTarget = (on: SQL): SQL => sql`join ${links} on ${on}`;
const toOther = (on: SQL): SQL =>
  sql`cross join ${link_destinations} as other on ${on} join ${links} on links.id = other.link_id`;

/** Pages of the hosts in a column that the entries `hosts` match, with the entry of each. */
async function* listedHosts(
  db: Db,
  hosts: ReadonlySet<string>,
  column: SQL,
  table: typeof links | typeof link_destinations,
): AsyncGenerator<{ host: string; value: string }[]> {
  let last = '';
  for (;;) {
    // The index alone answers this query: it returns a host once, however many links lead to it.
    const page = await db.all<{ host: string }>(
      sql`select distinct ${column} as host from ${table} where ${column} > ${last} order by ${column} limit ${HOSTS_PER_QUERY}`,
    );
    yield page.flatMap(({ host }) =>
      hostSuffixes(host).flatMap((suffix) => (hosts.has(suffix) ? [{ host, value: suffix }] : [])),
    );
    const lastRow = page.at(-1);
    if (lastRow === undefined || page.length < HOSTS_PER_QUERY) return;
    last = lastRow.host;
  }
}

/**
 * Holds the links that match `rows`. `matching` joins the links to them, under the name `wanted`.
 * `value` is the entry's. The query omits links that already have the hold, which ends the loop.
 */
async function holdMatches(
  db: Db,
  rows: { host: string; value: string }[],
  matching: SQL,
  now: number,
): Promise<number[]> {
  const changed: number[] = [];
  for (; rows.length > 0;) {
    const found = await db.all<{ id: number; value: string }>(
      sql`select distinct links.id as id, wanted.value from ${jsonRows(['host', 'value'], rows)} as wanted
        ${matching} where links.status <> 'deleted' and not exists (
          select 1 from ${link_holds} where link_id = links.id and kind = 'blocklist' and value = wanted.value)
        limit ${LINKS_PER_BATCH}`,
    );
    if (found.length === 0) break;
    const holds = found.map(({ id, value }) => ({ link_id: id, value }));
    changed.push(
      ...(await holdLinks(db, { kind: 'blocklist', reason: HOLD_REASONS.blocklist, holds, now })),
    );
  }
  return changed;
}
