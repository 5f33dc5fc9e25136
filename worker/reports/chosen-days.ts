import { addCounts, noCounts, type ClickCounts, type Tally } from '#worker/clicks/fold/counts.ts';
import { parseCounts } from '#worker/clicks/fold/counts-codec.ts';
import type { Db } from '#worker/db/client.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { idsOfTags, listTags } from '#worker/tags/tags.ts';
import type { AccountDay } from './account-days.ts';
import { readClicksByDay, readStoredDays } from './click-rows.ts';
import { findClickedLinks, limitToValues, type Days } from './clicked-links.ts';

/** Links of a member with a tag, with targets on a host, or both. Null does not limit them. */
export type Chosen = { tag: string | null; host: string | null };

export const isLimited = ({ tag, host }: Chosen): boolean => tag !== null || host !== null;

/**
 * The counts of some links of a member, added up by day. Where the days are too many for one
 * request, it counts fewer and says from which on. An unknown tag is on no link.
 */
export async function readChosenDays(
  db: Db,
  { userId, tag, host }: Chosen & { userId: string },
  wanted: Days,
): Promise<{ days: AccountDay[]; first: number; links: number }> {
  const tagIds = tag === null ? null : idsOfTags(await listTags(db, userId), [tag]);
  const choice = { userId, codePrefix: '', ids: null, tagIds, host };
  const found = await findClickedLinks(db, choice, wanted);
  const clicked = limitToValues(found, await readClicksByDay(db, found), 'place');
  const days = new Map<number, { counts: ClickCounts; top: Tally }>();
  for (const { link, day, counts } of await readStoredDays(db, clicked)) {
    const sum = getOrCreate(days, day, () => ({ counts: noCounts(), top: new Map() }));
    const more = parseCounts(counts);
    addCounts(sum.counts, more, Number.POSITIVE_INFINITY);
    sum.top.set(String(link), more.human);
  }
  return {
    days: Array.from(days, ([day, { counts, top }]): AccountDay => ({ day, counts, top })).sort(
      (a, b) => a.day - b.day,
    ),
    first: clicked.days.first,
    links: clicked.links,
  };
}
