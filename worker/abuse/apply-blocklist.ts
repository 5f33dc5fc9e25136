import { sql } from 'drizzle-orm';
import { holdPairs, liftHolds } from './holds.ts';
import { hostSuffixes } from './hosts.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { blocklist, link_holds, links } from '#worker/db/schema.ts';
import { publishLinks } from '#worker/links/publish.ts';

/** What the 410 page says. */
const REASON = 'The address it leads to is on our list of harmful sites.';
const HOSTS_AT_ONCE = 5000;
const LINKS_AT_ONCE = 500;
/** Copies put in this run; the outbox job puts the rest. */
const PUBLISHED_AT_ONCE = 300;
/**
 * An entry counts as applied only from this age on: a link whose check had passed just before the entry came is in the
 * table by then.
 */
const SETTLE_MS = 30_000;

type Stores = Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>;

/** Makes the existing links follow the blocklist: new entries disable what they catch, removed ones release it. Safe to repeat. */
export async function applyBlocklist(env: Stores, now: number): Promise<string> {
  const db = openDb(env.DB);
  const released = await liftHolds(
    db,
    sql`kind = 'blocklist' and not exists (select 1 from ${blocklist} where ${blocklist}.value = ${link_holds}.value)`,
    now,
  );
  const pending = await db.all<{ kind: string; value: string }>(sql`select kind, value from ${blocklist} where applied_at = 0`);
  const caught = pending.length === 0 ? [] : await hold(db, pending, now);
  await db.run(sql`update ${blocklist} set applied_at = ${now} where applied_at = 0 and created_at <= ${now - SETTLE_MS}
    and value in (select value from json_each(${JSON.stringify(pending.map((entry) => entry.value))}))`);
  await publishLinks(env, [...released, ...caught].slice(0, PUBLISHED_AT_ONCE), now);
  return `${caught.length} disabled, ${released.length} released`;
}

async function hold(db: Db, pending: { kind: string; value: string }[], now: number): Promise<number[]> {
  const hosts = new Set(pending.filter((entry) => entry.kind === 'host').map((entry) => entry.value));
  const targets = pending.filter((entry) => entry.kind === 'target').map((entry) => entry.value);
  const changed: number[] = [];
  const byTarget = sql`links.target = wanted.value ->> 0 and links.target_host = wanted.value ->> 2`;
  const targetRows = targets.map((href) => [href, href, new URL(href).hostname.replace(/\.$/, '')]);
  changed.push(...(await holdMatches(db, targetRows, byTarget, now)));
  let last = '';
  while (hosts.size > 0) {
    // Read from the index alone: however many links a host has, it is one row.
    const page = await db.all<{ host: string }>(
      sql`select distinct target_host as host from ${links} where target_host > ${last} order by target_host limit ${HOSTS_AT_ONCE}`,
    );
    const rows = page.flatMap(({ host }) => hostSuffixes(host).flatMap((suffix) => (hosts.has(suffix) ? [[host, suffix]] : [])));
    changed.push(...(await holdMatches(db, rows, sql`links.target_host = wanted.value ->> 0`, now)));
    const end = page.at(-1);
    if (end === undefined || page.length < HOSTS_AT_ONCE) return changed;
    last = end.host;
  }
  return changed;
}

/** `rows`: [what `on` compares, the entry's value, …]. Links that the entry holds already are left out, so a repetition ends. */
async function holdMatches(db: Db, rows: string[][], on: ReturnType<typeof sql>, now: number): Promise<number[]> {
  const changed: number[] = [];
  for (; rows.length > 0;) {
    const found = await db.all<{ id: number; value: string }>(
      sql`select links.id as id, wanted.value ->> 1 as value from json_each(${JSON.stringify(rows)}) as wanted
        join ${links} on ${on} where links.status <> 'deleted' and not exists (
          select 1 from ${link_holds} where link_id = links.id and kind = 'blocklist' and value = wanted.value ->> 1)
        limit ${LINKS_AT_ONCE}`,
    );
    if (found.length === 0) break;
    const pairs = found.map(({ id, value }): [number, string] => [id, value]);
    changed.push(...(await holdPairs(db, 'blocklist', REASON, pairs, now)));
  }
  return changed;
}
