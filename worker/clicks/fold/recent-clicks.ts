import { sql, type SQL } from 'drizzle-orm';
import { KEEP_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { jsonList } from '#worker/db/batch.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { startOfDay } from '#contract/reports/periods.ts';

/** `link_totals.recent` is a JSON array of these, newest first. */
export type StoredRecentClick = [at: number, place: string, agent: string, ref: string];

/**
 * Returns the newest clicks, newest first. Ties are broken by the text, so the order of folds does
 * not matter.
 */
export function newestClicks(clicks: readonly StoredRecentClick[]): StoredRecentClick[] {
  const ordered = clicks.toSorted((a, b) => b[0] - a[0] || (a.join('|') < b.join('|') ? -1 : 1));
  return ordered.slice(0, RECENT_CLICKS_MAX);
}

export type ClickOfLink = { link: number; at: number; place: string; ref: string };

/** Selects the newest clicks since a time (ms) on these links. */
export const selectClicksSince = (
  linkIds: readonly number[],
  since: number,
  limit: number,
): SQL<ClickOfLink> =>
  // CROSS JOIN keeps SQLite from scanning the totals: it looks up each listed link.
  sql`select t.link_id as link, c.value ->> 0 as at, c.value ->> 1 as place, c.value ->> 3 as ref
    from ${jsonList(linkIds)} j cross join ${link_totals} t on t.link_id = j.value and t.last_at >= ${since}
    cross join json_each(t.recent) c
    where c.value ->> 0 >= ${since} order by at desc limit ${limit}`;

/** Recent clicks before this time are not kept. */
export const firstRecentAt = (now: number): number =>
  startOfDay(now) - KEEP_RECENT_CLICKS_DAYS * DAY_MS;

/**
 * Recent clicks are sorted and pruned once their text has this many UTF-16 units, or once the
 * oldest of them has been expired for RECENT_SLACK_MS.
 */
const RECENT_CHARS = 6_000;
const RECENT_SLACK_MS = 3 * DAY_MS;

/**
 * Merges new recent clicks into the stored ones inside the upsert of `link_totals`, because reading
 * them would take longer than the rest of a fold. If all new clicks are newer than the stored ones,
 * they are prepended as text. Otherwise all are sorted, and the oldest are removed.
 */
export function mergeRecent(now: number): SQL {
  const [added, stored] = [sql`excluded.recent`, sql`${link_totals}.recent`];
  const oldestOf = (clicks: SQL): SQL => sql`${clicks} ->> '$[#-1][0]'`;
  const all = sql`substr(${added}, 1, length(${added}) - 1) || iif('[]' in (${added}, ${stored}), '', ',') || substr(${stored}, 2)`;
  return sql`case when ${link_totals}.last_at < ${oldestOf(added)} and length(${stored}) < ${RECENT_CHARS}
      and ${oldestOf(stored)} >= ${firstRecentAt(now) - RECENT_SLACK_MS} then ${all}
    else (select '[' || coalesce(group_concat(value, ','), '') || ']' from (select value from json_each(${all})
      where value ->> 0 >= ${firstRecentAt(now)} order by value ->> 0 desc, value limit ${RECENT_CLICKS_MAX})) end`;
}
