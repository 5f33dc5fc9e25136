import { sql } from 'drizzle-orm';
import { type ClickCounts, type Tally } from '#worker/clicks/fold/counts.ts';
import { parseCounts, tallyOf } from '#worker/clicks/fold/counts-codec.ts';
import { recordReportRead } from '#worker/clicks/accounts/report-use.ts';
import {
  readRolledUpTo,
  rollUpSmallAccount,
  rollUpSoon,
} from '#worker/clicks/accounts/roll-up-accounts.ts';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/batch.ts';
import { account_days } from '#worker/db/schema-accounts.ts';
import { links } from '#worker/db/schema-links.ts';
import { searchLinks } from '#worker/links/list/search-links.ts';

/** The number of links in a list of the most clicked ones. */
export const TOP_LINKS = 10;
/**
 * The hourly order is up to an hour old, so the links to list now are chosen from its first 200.
 */
const CANDIDATES = 200;

/** A day with clicks on the links of an account. `top` maps link ids to clicks. */
export type AccountDay = { day: number; counts: ClickCounts; top: Tally };

/** The days of an account with clicks, from `firstDay` on. */
export async function readAccountDays(
  db: Db,
  userId: string,
  firstDay: number,
): Promise<AccountDay[]> {
  const rows = await db.all<{ day: number; counts: string; top: string }>(
    sql`select day, counts, top from ${account_days} where user_id = ${userId} and day >= ${firstDay} order by day`,
  );
  return rows.map(({ day, counts, top }) => ({
    day,
    counts: parseCounts(counts),
    top: tallyOf(JSON.parse(top)),
  }));
}

/** The first day on which a link of the account was clicked, or null. */
export async function readFirstDay(db: Db, userId: string): Promise<number | null> {
  const [row] = await db.all<{ day: number | null }>(
    sql`select min(day) as day from ${account_days} where user_id = ${userId}`,
  );
  return row?.day ?? null;
}

/**
 * Returns the time in ms up to which the account's clicks are counted; null if they are not yet. An
 * account with few links is brought up to date at once. A job does it for others: within minutes
 * when the report is read for the first time in a while, and then once an hour.
 */
export async function countAccount(db: Db, userId: string, now: number): Promise<number | null> {
  if (await rollUpSmallAccount(db, userId, now)) return now;
  const since = await recordReportRead(db, userId, now);
  if (since === now) await rollUpSoon(db);
  const upTo = await readRolledUpTo(db);
  return upTo !== null && upTo > since ? upTo : null;
}

export type TopLink = { id: number; code: string; title: string; target: string; clicks: number };
type LinkRow = Omit<TopLink, 'clicks'>;

/** The ids and clicks of the most clicked links on these days, in descending order. */
export function leadingLinks(
  days: readonly AccountDay[],
  max: number,
): [id: number, clicks: number][] {
  const sums = new Map<number, number>();
  for (const { top } of days)
    for (const [id, clicks] of top) sums.set(Number(id), (sums.get(Number(id)) ?? 0) + clicks);
  return [...sums].sort(([a, m], [b, n]) => n - m || a - b).slice(0, max);
}

/**
 * The most clicked links on these days, chosen from the 200 most clicked ones of each day. Deleted
 * links are left out.
 */
export async function findTopLinks(
  db: Db,
  userId: string,
  days: readonly AccountDay[],
): Promise<TopLink[]> {
  // Some of these may have been deleted within the last hour, so more are read than shown.
  const sums = new Map(leadingLinks(days, 5 * TOP_LINKS));
  const rows = await db.all<LinkRow>(sql`select l.id, l.code, l.title, l.target
    from ${jsonList([...sums.keys()])} j cross join ${links} l on l.id = j.value
    where l.user_id = ${userId} and l.status <> 'deleted'`);
  return rows
    .map((row): TopLink => Object.assign(row, { clicks: sums.get(row.id) ?? 0 }))
    .sort((a, b) => b.clicks - a.clicks || a.id - b.id)
    .slice(0, TOP_LINKS);
}

/** The most clicked links since their creation. */
export async function findTopLinksEver(db: Db, userId: string, now: number): Promise<TopLink[]> {
  const search = {
    userId,
    sort: { by: 'clicks', descending: true },
    from: null,
    limit: CANDIDATES,
    now,
  } as const;
  const pages = await Promise.all(
    [false, true].map((archived) =>
      searchLinks(db, { ...search, words: [], filters: { codePrefix: '', archived } }),
    ),
  );
  return pages
    .flatMap(({ rows }) => rows)
    .filter(({ clicks }) => clicks > 0)
    .map(({ id, code, title, target, clicks }) => ({ id, code, title, target, clicks }))
    .sort((a, b) => b.clicks - a.clicks || a.id - b.id)
    .slice(0, TOP_LINKS);
}
