import { sql, type SQL } from 'drizzle-orm';
import { openDb, type Db } from '#worker/db/client.ts';
import { jsonList, jsonRows } from '#worker/db/batch.ts';
import { UNBOUNDED, type JobBudget } from '#worker/job-runtime/job-budget.ts';
import { blocklist, link_holds } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { holdLinks, liftHolds } from './holds.ts';
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
 * Idempotent.
 */
export async function applyBlocklist(
  env: Stores,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<string> {
  const db = openDb(env.DB);
  const released = await liftHolds(db, IS_OUTDATED, now);
  const pending = await db.all<Entry>(
    sql`select kind, value from ${blocklist} where applied_at = 0`,
  );
  const disabled = pending.length === 0 ? [] : await holdListedLinks(db, pending, now);
  await db.run(sql`update ${blocklist} set applied_at = ${now} where applied_at = 0 and created_at <= ${now - SETTLE_MS}
    and value in ${jsonList(pending.map((entry) => entry.value))}`);
  await publishLinks(
    env,
    [...released, ...disabled].slice(0, Math.min(PUBLISHED_PER_RUN, budget.kvWrites())),
    now,
  );
  return `${disabled.length} disabled, ${released.length} released`;
}

async function holdListedLinks(db: Db, pending: Entry[], now: number): Promise<number[]> {
  const hosts = new Set(
    pending.filter((entry) => entry.kind === 'host').map((entry) => entry.value),
  );
  const targets = pending.filter((entry) => entry.kind === 'target').map((entry) => entry.value);
  const changed: number[] = [];
  const sameTarget = sql`links.target = wanted.value and links.target_host = wanted.host`;
  const targetRows = targets.map((href) => ({
    host: new URL(href).hostname.replace(/\.$/, ''),
    value: href,
  }));
  changed.push(...(await holdMatches(db, targetRows, sameTarget, now)));
  let lastHost = '';
  while (hosts.size > 0) {
    // The index alone answers this query: it returns a host once, however many links lead to it.
    const page = await db.all<{ host: string }>(
      sql`select distinct target_host as host from ${links} where target_host > ${lastHost} order by target_host limit ${HOSTS_PER_QUERY}`,
    );
    const rows = page.flatMap(({ host }) =>
      hostSuffixes(host).flatMap((suffix) => (hosts.has(suffix) ? [{ host, value: suffix }] : [])),
    );
    changed.push(...(await holdMatches(db, rows, sql`links.target_host = wanted.host`, now)));
    const lastRow = page.at(-1);
    if (lastRow === undefined || page.length < HOSTS_PER_QUERY) return changed;
    lastHost = lastRow.host;
  }
  return changed;
}

/**
 * Holds the links that match `rows`, which the condition `on` calls `wanted`. `value` is the
 * entry's. The query omits links that already have the hold, which ends the loop.
 */
async function holdMatches(
  db: Db,
  rows: { host: string; value: string }[],
  on: SQL,
  now: number,
): Promise<number[]> {
  const changed: number[] = [];
  for (; rows.length > 0;) {
    const found = await db.all<{ id: number; value: string }>(
      sql`select links.id as id, wanted.value from ${jsonRows(['host', 'value'], rows)} as wanted
        join ${links} on ${on} where links.status <> 'deleted' and not exists (
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
