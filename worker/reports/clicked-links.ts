import { sql, type SQL } from 'drizzle-orm';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { DIM_CAPS, type Dim } from '#worker/clicks/fold/counts.ts';
import { jsonList } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { openShard } from '#worker/db/shards.ts';

/** The most links of an account that a query looks at: those that were clicked last. */
const LINKS_MAX = 10_000;
/** The most rows of days that a query reads. It covers fewer days rather than reading more. */
export const ROWS_MAX = 20_000;
/** The most countries, devices or sources in these rows that a query reads. */
export const VALUES_MAX = 200_000;

/** Days since 1970 (UTC), both included. */
export type Days = { first: number; last: number };

/** The links of a member that a query counts. Null does not limit it. */
export type LinkChoice = {
  userId: string;
  codePrefix: string;
  ids: readonly number[] | null;
  tagIds: readonly number[] | null;
  /** The host of their targets. */
  host: string | null;
  /** The domains of their short URLs. */
  domains?: readonly DomainId[] | null;
};

/** The clicks of people on a link on a day. `visitors` is null for clicks with one value. */
export type DayClicks = { link: number; day: number; clicks: number; visitors: number | null };

export type ClickedLinks = {
  /** By shard: the ids of links that have been clicked since the period began. */
  ids: ReadonlyMap<number, number[]>;
  /** The number of links that were chosen, also without clicks. */
  links: number;
  /** The wanted days from the first one that can be counted completely; empty if there is none. */
  days: Days;
};

type Candidate = { id: number; shard: number; last: number; is_chosen: 0 | 1 };

/**
 * Finds the links that may have clicks on these days, and for how many of the days their clicks can
 * be read within `ROWS_MAX`. In an account with more than LINKS_MAX links, those that were not
 * clicked lately are left out by the last ranking, and the days on which they may have been
 * clicked.
 */
export async function findClickedLinks(
  db: Db,
  choice: LinkChoice,
  wanted: Days,
): Promise<ClickedLinks> {
  const candidates = await db.all<Candidate>(selectCandidates(choice));
  const firstUnread = choice.ids === null ? candidates[LINKS_MAX] : undefined;
  const first =
    firstUnread === undefined || firstUnread.last === 0
      ? wanted.first
      : Math.max(wanted.first, dayNumber(firstUnread.last) + 1);
  const chosen = candidates.slice(0, LINKS_MAX).filter(({ is_chosen: is }) => is === 1);
  const byShard = Map.groupBy(chosen, ({ shard }) => shard);
  const found = await Promise.all(
    [...byShard].map(async ([shard, some]) => ({
      shard,
      clicked: await openShard(db, shard).all<{ id: number; clicks: number }>(
        sql`select link_id as id, human + bot + prefetch as clicks
          from ${jsonList(some.map(({ id }) => id))} j cross join ${link_totals} t on t.link_id = j.value
          where last_at >= ${first * DAY_MS}`,
      ),
    })),
  );
  const clicks = found.flatMap(({ clicked }) => clicked.map((link) => link.clicks));
  const count = Math.max(0, countReadableDays(clicks, wanted.last - first + 1));
  return {
    ids: new Map(found.map(({ shard, clicked }) => [shard, clicked.map(({ id }) => id)])),
    links: chosen.length,
    days: { first: wanted.last - count + 1, last: wanted.last },
  };
}

/**
 * Returns how many of the days can be read. A link has a row for each day with clicks, so never
 * more rows than clicks.
 */
export function countReadableDays(clicks: readonly number[], days: number): number {
  let rows = 0;
  let rest = clicks;
  for (let day = 1; day <= days; day++) {
    const least = day;
    rest = rest.filter((n) => n >= least);
    rows += rest.length;
    if (rows > ROWS_MAX) return day - 1;
  }
  return days;
}

/**
 * Limits a query to the links with clicks, and to the last days on which they have at most
 * `VALUES_MAX` values together, but at least one day. `rows` are the clicks on all days of `found`.
 */
export function limitToValues(
  { ids, links: chosen, days: { first, last } }: ClickedLinks,
  rows: readonly DayClicks[],
  kind: Dim,
): ClickedLinks {
  // Beyond its cap a day has up to one more value for each country or device.
  const most = 2 * DIM_CAPS[kind];
  const values = new Map<number, number>();
  for (const { day, clicks } of rows)
    values.set(day, (values.get(day) ?? 0) + Math.min(clicks, most));
  let sum = values.get(last) ?? 0;
  let start = last;
  while (start > first) {
    sum += values.get(start - 1) ?? 0;
    if (sum > VALUES_MAX) break;
    start -= 1;
  }
  const clicked = new Set(rows.filter(({ day }) => day >= start).map(({ link }) => link));
  return {
    ids: new Map([...ids].map(([shard, some]) => [shard, some.filter((id) => clicked.has(id))])),
    links: chosen,
    days: { first: start, last },
  };
}

function selectCandidates({
  userId,
  codePrefix,
  ids,
  tagIds,
  host,
  domains = null,
}: LinkChoice): SQL {
  const hasPrefix = sql`substr(code, 1, ${codePrefix.length}) = ${codePrefix}`;
  const hasTag =
    tagIds === null
      ? sql`1`
      : sql`exists (select 1 from ${link_tags} t where t.link_id = own.id and t.tag_id in ${jsonList(tagIds)})`;
  const hasHost = host === null ? sql`1` : sql`target_host = ${host}`;
  const isOnDomain = domains === null ? sql`1` : sql`domain_id in ${jsonList(domains)}`;
  // The condition of the partial index must appear literally.
  const lastClicked = (archived: 0 | 1): SQL =>
    sql`select * from (select id, code, domain_id, shard, target_host, ranked_last_click_at as last from ${links} indexed by links_listed_by_last_click
      where user_id = ${userId} and archived = ${archived} and status <> 'deleted'
      order by ranked_last_click_at desc limit ${LINKS_MAX + 1})`;
  const own =
    ids === null
      ? sql`select * from (${lastClicked(0)} union all ${lastClicked(1)}) order by last desc limit ${LINKS_MAX + 1}`
      : sql`select l.id, l.code, l.domain_id, l.shard, l.target_host, 0 as last from ${jsonList(ids)} j cross join ${links} l on l.id = j.value
          where l.user_id = ${userId} and l.status <> 'deleted'`;
  return sql`select id, shard, last, ${hasPrefix} and ${hasTag} and ${hasHost} and ${isOnDomain} as is_chosen from (${own}) own`;
}
