import { sql } from 'drizzle-orm';
import { openDb } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { host_outbox } from '#worker/db/schema-domains.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { drainHostOutbox } from './publish-hosts.ts';
import { publishLinks, SETTLE_MS } from './publish.ts';

/** The age at which an outbox row that KV rejected is tried again. */
const RETRY_MS = 30_000;
/** A Worker may do 1,000 KV operations per invocation. Further links wait for the next run. */
const LINKS_PER_RUN = 800;
/**
 * A quarter of a run serves the newest links, so that a single change does not wait behind a list
 * of 100,000.
 */
const NEWEST_PER_RUN = LINKS_PER_RUN / 4;

export const hasOutbox = () =>
  sql`(exists (select 1 from ${link_outbox}) or exists (select 1 from ${host_outbox}))`;

/**
 * Publishes hosts and links of the outbox: those that KV rejected, those whose request ended
 * between D1 and KV, and every change once more after `SETTLE_MS`, which overwrites a late write of
 * an older record. Skips changes that their request may still be publishing. Links beyond the limit
 * of one run wait for the next minute.
 */
export async function drainOutbox(
  env: Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const hosts = await drainHostOutbox(env, now);
  const due = sql`from ${link_outbox} where queued_at <= ${now - RETRY_MS} and (queued_at <= ${now - SETTLE_MS} or attempts > 0)`;
  const most = Math.min(LINKS_PER_RUN, budget.kvWrites());
  const newest = Math.min(NEWEST_PER_RUN, Math.floor(most / 4));
  const pending = await db.all<{ link_id: number; codes: number }>(
    sql`select link_id, 1 + (select count(*) from ${links} where earlier_code_of = link_id) as codes
      from (select link_id from (select link_id ${due} order by queued_at limit ${most - newest})
        union select link_id from (select link_id ${due} order by queued_at desc limit ${newest}))`,
  );
  const ids = takeWhileFitting(pending, most);
  const outcome = ids.length > 0 ? await publishLinks(env, ids, now) : { published: 0, left: 0 };
  const done = {
    hosts_published: hosts.published,
    links_published: outcome.published,
    changes_rejected: hosts.left + outcome.left,
  };
  if (pending.length === 0 || (ids.length === pending.length && pending.length < most))
    return { done };
  const [rest] = await db.all<{ links: number; since: number }>(
    sql`select count(*) as links, coalesce(min(queued_at), ${now}) as since ${due}`,
  );
  const { links: waiting = 0, since = now } = rest ?? {};
  return { done, left: waiting, since };
}

/**
 * Returns the ids of the first links that need at most `most` writes together, or of one link. A
 * link has one record for each of its codes.
 */
function takeWhileFitting(
  pending: readonly { link_id: number; codes: number }[],
  most: number,
): number[] {
  let writes = 0;
  const end = pending.findIndex(({ codes }, at) => (writes += codes) > most && at > 0);
  return (end < 0 ? pending : pending.slice(0, end)).map(({ link_id }) => link_id);
}
