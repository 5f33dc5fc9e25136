import { sql } from 'drizzle-orm';
import { type ClickCounts, type Tally } from '#worker/clicks/fold/counts.ts';
import { parseCounts, tallyOf } from '#worker/clicks/fold/counts-codec.ts';
import { noteReportRead } from '#worker/clicks/accounts/report-use.ts';
import {
  readRolledUpTo,
  rollUpSmallAccount,
  rollUpSoon,
} from '#worker/clicks/accounts/roll-up-accounts.ts';
import type { Db } from '#worker/db/client.ts';
import { account_days } from '#worker/db/schema-accounts.ts';
import { links } from '#worker/db/schema-links.ts';
import { searchLinks } from '#worker/links/list/search-links.ts';

/** Links in a list of those with the most clicks. */
export const TOP_LINKS = 10;
/** Among so many links that lead by the hourly order are those that lead now. */
const CANDIDATES = 200;

/** A day with clicks on the links of an account. `top`: link id → clicks. */
export type AccountDay = { day: number; counts: ClickCounts; top: Tally };

/** The days of an account from `firstDay` on, a row for each day with clicks. */
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

/** The first day on which a link of the account was clicked; null if none was. */
export async function readFirstDay(db: Db, userId: string): Promise<number | null> {
  const [row] = await db.all<{ day: number | null }>(
    sql`select min(day) as day from ${account_days} where user_id = ${userId}`,
  );
  return row?.day ?? null;
}

/**
 * The time up to which the account's clicks are counted, in ms. An account with few links is
 * brought up to date at once, others by a job: within minutes when the report is read for the first
 * time in a while, and then once an hour. Null if that has not happened yet.
 */
export async function countAccount(db: Db, userId: string, now: number): Promise<number | null> {
  if (await rollUpSmallAccount(db, userId, now)) return now;
  const since = await noteReportRead(db, userId, now);
  if (since === now) await rollUpSoon(db);
  const upTo = await readRolledUpTo(db);
  return upTo !== null && upTo > since ? upTo : null;
}

export type TopLink = { id: number; code: string; title: string; target: string; clicks: number };
type LinkRow = Omit<TopLink, 'clicks'>;

/** The ids of the links with the most clicks on these days, with their clicks, the most first. */
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
 * The links with the most clicks on these days, of the 200 most clicked ones of each day. Deleted
 * links are left out.
 */
export async function findTopLinks(
  db: Db,
  userId: string,
  days: readonly AccountDay[],
): Promise<TopLink[]> {
  // Some more, because some of them may have been deleted within the last hour.
  const sums = new Map(leadingLinks(days, 5 * TOP_LINKS));
  const rows = await db.all<LinkRow>(sql`select l.id, l.code, l.title, l.target
    from json_each(${JSON.stringify([...sums.keys()])}) j cross join ${links} l on l.id = j.value
    where l.user_id = ${userId} and l.status <> 'deleted'`);
  return rows
    .map((row): TopLink => Object.assign(row, { clicks: sums.get(row.id) ?? 0 }))
    .sort((a, b) => b.clicks - a.clicks || a.id - b.id)
    .slice(0, TOP_LINKS);
}

/** The links with the most clicks since they were created. */
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
      searchLinks(db, { ...search, filters: { words: [], codePrefix: '', archived } }),
    ),
  );
  return pages
    .flatMap(({ rows }) => rows)
    .filter(({ clicks }) => clicks > 0)
    .map(({ id, code, title, target, clicks }) => ({ id, code, title, target, clicks }))
    .sort((a, b) => b.clicks - a.clicks || a.id - b.id)
    .slice(0, TOP_LINKS);
}
