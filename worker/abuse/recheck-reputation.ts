import { sql } from 'drizzle-orm';
import { openDb } from '#worker/db/client.ts';
import { jsonList, jsonRows } from '#worker/db/batch.ts';
import type { JobResult } from '#worker/job-runtime/job-budget.ts';
import { isActive } from '#worker/db/link-status.ts';
import { link_destinations, links } from '#worker/db/schema-links.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { placeHold } from './holds.ts';
import { createReputation, nextCheckAt, type Verdict } from '#worker/safety/reputation.ts';
import { HOLD_REASONS } from '#worker/messages/links.ts';

const LINKS_PER_RUN = 500;
/** At 2 s per query and six queries at a time, a run takes at most 20 s. */
const HOSTS_PER_RUN = 60;
const CONCURRENT_QUERIES = 6;

/** `since` is when the link got its target. */
type Due = { id: number; host: string; since: number };

/**
 * Checks the hosts of links that are due again and disables the links whose host is now bad. Does
 * nothing without REPUTATION_DOH_URL.
 */
export async function recheckReputation(
  env: Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH' | 'REPUTATION_DOH_URL'>,
  now: number,
  fetcher: FetchFunction = fetch,
): Promise<JobResult> {
  const check = createReputation(env.REPUTATION_DOH_URL, fetcher);
  if (check === null) return { reason: 'not_configured' };
  const db = openDb(env.DB);
  const due = await db.all<Due>(
    sql`select id, target_host as host, max(coalesce(imported_at, created_at), coalesce(target_changed_at, 0)) as since
      from ${links} where recheck_at <= ${now} and ${isActive()} order by recheck_at limit ${LINKS_PER_RUN}`,
  );
  const others = await db.all<{ id: number; host: string }>(
    sql`select link_id as id, host from ${link_destinations} where link_id in ${jsonList(due.map(({ id }) => id))}`,
  );
  const hostsOf = new Map(due.map(({ id, host }) => [id, new Set([host])]));
  for (const { id, host } of others) hostsOf.get(id)?.add(host);
  // All hosts of the first links, because a link is judged only when each of its hosts was checked.
  const all = new Set(due.flatMap(({ id }) => [...(hostsOf.get(id) ?? [])]));
  const hosts = [...all].slice(0, HOSTS_PER_RUN);
  const verdicts = new Map<string, Verdict>();
  for (let at = 0; at < hosts.length; at += CONCURRENT_QUERIES) {
    const group = hosts.slice(at, at + CONCURRENT_QUERIES);
    const answers = await Promise.all(group.map((host) => check(host)));
    for (const [index, host] of group.entries()) verdicts.set(host, answers[index] ?? 'unknown');
  }
  const rechecks: { id: number; recheck_at: number | null }[] = [];
  const bad: number[] = [];
  for (const { id, since } of due) {
    const verdict = worstOf([...(hostsOf.get(id) ?? [])].map((host) => verdicts.get(host)));
    if (verdict === 'bad') bad.push(id);
    if (verdict !== undefined)
      rechecks.push({
        id,
        recheck_at: verdict === 'bad' ? null : nextCheckAt(verdict, since, now),
      });
  }
  const among = sql`id in ${jsonList(bad)}`;
  const hold = { kind: 'reputation', value: '', reason: HOLD_REASONS.reputation } as const;
  const changed = bad.length === 0 ? [] : await placeHold(db, { hold, where: among, now });
  await db.run(sql`update ${links} set recheck_at = due.recheck_at
    from ${jsonRows(['id', 'recheck_at'], rechecks)} as due where ${links}.id = due.id`);
  await publishLinks(env, changed, now);
  return {
    done: { hosts_checked: hosts.length, links_disabled: changed.length },
    left: due.length - rechecks.length,
  };
}

/** A link is as bad as its worst destination. Undefined while one of them was not checked. */
function worstOf(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  if (verdicts.includes('bad')) return 'bad';
  if (verdicts.includes(undefined)) return undefined;
  return verdicts.includes('unknown') ? 'unknown' : 'good';
}
