import { sql, type SQL } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import { jsonList, runNamedBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { isActive } from '#worker/db/link-status.ts';
import { links } from '#worker/db/schema-links.ts';
import { system_facts } from '#worker/db/schema-system.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { recordLinkEvents } from './record-link-events.ts';

/** The fact whose time and value are the end and the id of the last link that has been told. */
const FACT = 'links-ended';
/** A request that sets an end date may take this long until it is stored. */
const MARGIN_MS = 10_000;
const LINKS_PER_BATCH = 250;
/** While no link ends, the fact is written this often. */
const MOVES_EVERY_MS = 15 * MINUTE_MS;

type Told = { at: number; id: number };
/** The id of a fact that stands for all links with its end. */
const ALL = Number.MAX_SAFE_INTEGER;

const hasEnded = ({ at, id }: Told, now: number): SQL =>
  sql`${links.expires_at} between ${at} and ${now - MARGIN_MS}
    and (${links.expires_at} > ${at} or ${links.id} > ${id})`;

/** True in SQL while a link has ended since the last run. */
export const hasEndedLinks = (now: number): SQL =>
  sql`exists (select 1 from ${links} where expires_at > (select at from ${system_facts} where name = ${FACT})
    and expires_at <= ${now - MARGIN_MS})`;

/**
 * The job that records `link.expired` of links whose end date has passed, once for each end date. A
 * link that its owner or moderation has disabled had stopped before.
 */
export async function recordEndedLinks(
  env: Pick<Env, 'DB'>,
  now: number,
  budget: JobBudget,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const [stored] = await db.all<Told>(
    sql`select at, cast(value as integer) as id from ${system_facts} where name = ${FACT}`,
  );
  let told = stored ?? null;
  let count = 0;
  for (;;) {
    const rows =
      told === null
        ? []
        : await db.all<Told>(sql`select expires_at as at, id from ${links}
            where ${hasEnded(told, now)} order by expires_at, id limit ${LINKS_PER_BATCH}`);
    const isDone = rows.length < LINKS_PER_BATCH;
    const next = (isDone ? undefined : rows.at(-1)) ?? { at: now - MARGIN_MS, id: ALL };
    if (rows.length === 0 && told !== null && next.at < told.at + MOVES_EVERY_MS) break;
    const isEnded = sql`${links.id} in ${jsonList(rows.map(({ id }) => id))} and ${isActive()}
      and ${links.expires_at} <= ${now - MARGIN_MS}`;
    await runNamedBatch(db, {
      events: rows.length === 0 ? [] : recordLinkEvents('link.expired', isEnded, now, ['status']),
      told: sql`insert into ${system_facts} (name, at, value) values (${FACT}, ${next.at}, ${String(next.id)})
        on conflict (name) do update set at = excluded.at, value = excluded.value`,
    });
    count += rows.length;
    told = next;
    if (isDone) break;
    if (!budget.canContinue()) return { done: { links_ended: count }, left: 1 };
  }
  return { done: { links_ended: count } };
}
