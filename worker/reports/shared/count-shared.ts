import type { ShortOrigins } from '#worker/http/origins.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import { dayNumber, oldestDayKept, utcDate } from '#contract/reports/periods.ts';
import type {
  SharedCounts,
  SharedLink,
  SharedList,
  SharedListName,
  SharedPart,
  SharedRow,
} from '#contract/reports/shared-reports.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Dimension } from '#contract/v1/v1-analytics.ts';
import { jsonList } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShard } from '#worker/db/shards.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import type { Days } from '#worker/reports/clicked-links.ts';
import { countDestinations } from '#worker/reports/count-destinations.ts';
import { readParts } from '#worker/reports/read-parts.ts';
import { queryClicks, type Entry } from '#worker/reports/query-clicks.ts';
import { sql } from 'drizzle-orm';
import { foldCities, foldSmall, OTHER } from './fold-small.ts';
import type { FoundReport } from '#worker/links/share/shared-store.ts';

const DIMENSION_OF: Readonly<Record<Exclude<SharedListName, 'variants'>, Dimension>> = {
  countries: 'country',
  devices: 'device',
  cities: 'city',
  browsers: 'browser',
  systems: 'os',
  sources: 'referrer',
  campaigns: 'utmCampaign',
};
const TOP_LINKS = 10;
const PERIOD_DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;

/** The subject and the period of a shared report. */
export type SharedSubject = Pick<
  FoundReport,
  'user_id' | 'link' | 'tag_id' | 'period' | 'first_day' | 'last_day'
>;

/** The days that a report counts, today included. */
export async function findDays(db: Db, report: SharedSubject, now: number): Promise<Days> {
  const { period, first_day: first, last_day: last } = report;
  const today = dayNumber(now);
  if (period === 'dates') return { first: first ?? today, last: Math.min(last ?? today, today) };
  if (period !== 'all') return { first: today - PERIOD_DAYS[period] + 1, last: today };
  const createdAt = report.link?.created_at ?? (await readFirstCreation(db, report.tag_id));
  return { first: Math.min(today, dayNumber(createdAt ?? now)), last: today };
}

async function readFirstCreation(db: Db, tagId: number | null): Promise<number | null> {
  const [row] = await db.all<{ at: number | null }>(
    sql`select min(link_created_at) as at from ${link_tags} where tag_id = ${tagId}`,
  );
  return row?.at ?? null;
}

const requestOf = (
  { user_id: userId, link, tag_id: tagId }: SharedSubject,
  wanted: Days,
  now: number,
) =>
  ({
    userId,
    codePrefix: '',
    ids: link === null ? null : [link.id],
    tagIds: tagId === null ? null : [tagId],
    host: null,
    interval: null,
    wanted,
    filters: {},
    now,
  }) as const;

export type DayTotals = Omit<SharedCounts, 'lists' | 'links'>;

/** Counts the clicks by day. Null if none of the days are kept, or the links are too many. */
export async function countDays(
  db: Db,
  report: SharedSubject,
  wanted: Days,
  now: number,
): Promise<DayTotals | null> {
  const counted = await queryClicks(db, {
    ...requestOf(report, wanted, now),
    groupBy: 'day',
  });
  if (!counted.ok) return null;
  const { days, totals, entries } = counted;
  return {
    ...datesOf(days),
    totals: {
      totalClicks: totals.clicks,
      uniqueClicks: totals.visitors ?? 0,
      activeDays: entries.length,
    },
    clicksByDate: Object.fromEntries(entries.map(({ key, clicks }) => [key, clicks])),
  };
}

/**
 * Counts the clicks by value on whole days, with small values folded. Today is left out: otherwise
 * a viewer who looks twice would see where the click in between came from.
 */
export async function countLists(
  db: Db,
  report: SharedSubject,
  names: readonly SharedListName[],
  wanted: Days,
  now: number,
): Promise<SharedList[]> {
  const whole = { first: wanted.first, last: Math.min(wanted.last, dayNumber(now) - 1) };
  if (whole.first > whole.last)
    return names.map((list) => ({ list, rows: [], other: 0, ...datesOf(whole) }));
  const lists: SharedList[] = [];
  for (const list of names) {
    if (list === 'variants') {
      if (report.link === null) continue;
      const rows = await countVariants(db, report.link, whole, now);
      lists.push({ list, ...foldSmall(rows), ...datesOf(whole) });
      continue;
    }
    const groupBy = DIMENSION_OF[list];
    const counted = await queryClicks(db, { ...requestOf(report, whole, now), groupBy });
    if (!counted.ok) continue;
    const { days, totals, entries } = counted;
    const rows =
      list === 'campaigns'
        ? [...entries.map(rowOf), await countRest(db, report, days, totals.clicks, now)]
        : entries.map(list === 'cities' ? cityOf : rowOf);
    const folded = list === 'cities' ? foldCities(rows) : foldSmall(rows);
    lists.push({ list, ...folded, ...datesOf(days) });
  }
  return lists;
}

/** The clicks of a link by the destination that variants chose. */
async function countVariants(
  db: Db,
  link: NonNullable<SharedSubject['link']>,
  { first, last }: Days,
  now: number,
): Promise<SharedRow[]> {
  const { rows } = await readParts(openShard(db, link.shard), link.id, {
    from: first * DAY_MS,
    to: (last + 1) * DAY_MS,
    oldestDay: oldestDayKept(now),
    parts: ['destination'],
  });
  const counts = rows.map((row) => row.counts);
  const destinations = await countDestinations(db, link, counts);
  return destinations.map(({ url, clicks }) => ({ name: url ?? OTHER, clicks }));
}

const datesOf = ({ first, last }: Days) => ({
  from: utcDate(first * DAY_MS),
  to: utcDate(last * DAY_MS),
});

const rowOf = ({ key: name, clicks }: Entry): SharedRow => ({ name, clicks });

/** The key of a city ends with its country: `Bengaluru, KA, IN`. */
function cityOf({ key, clicks }: Entry): SharedRow {
  const end = key.lastIndexOf(', ');
  return end === -1
    ? { name: key, country: 'Unknown', clicks }
    : { name: key.slice(0, end), country: key.slice(end + 2), clicks };
}

/** The clicks without a campaign, which are folded like a value: their number can be small. */
async function countRest(
  db: Db,
  report: SharedSubject,
  days: Days,
  withCampaign: number,
  now: number,
): Promise<SharedRow> {
  const all = await queryClicks(db, { ...requestOf(report, days, now), groupBy: 'day' });
  return { name: '', clicks: all.ok ? all.totals.clicks - withCampaign : 0 };
}

/** `target` is null if the link has a password. */
type LinkRow = { id: number; code: string; title: string; target: string | null };

/** The most clicked links of a tag. */
export async function countLinks(
  db: Db,
  report: SharedSubject,
  parts: readonly SharedPart[],
  { wanted, origins, now }: { wanted: Days; origins: ShortOrigins; now: number },
): Promise<SharedLink[]> {
  const counted = await queryClicks(db, { ...requestOf(report, wanted, now), groupBy: 'link' });
  if (!counted.ok) return [];
  const top = counted.entries.slice(0, TOP_LINKS);
  const rows =
    await db.all<LinkRow>(sql`select id, code, title, iif(password_hash = '', target, null) as target
    from ${jsonList(top.map(({ key }) => Number(key)))} j cross join ${links} l on l.id = j.value
    where l.user_id = ${report.user_id} and l.status <> 'deleted'`);
  const named = await nameDomains(
    db,
    origins,
    rows.map(({ code }) => code),
  );
  return top.flatMap(({ key, clicks }) => {
    const link = rows.find(({ id }) => id === Number(key));
    if (link === undefined) return [];
    return [
      {
        title: link.title,
        shortUrl: parts.includes('shortUrls') ? shortUrlOf(named, link.code) : null,
        destination: parts.includes('destinations') ? link.target : null,
        clicks,
      },
    ];
  });
}
