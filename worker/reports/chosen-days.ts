import { addCounts, noCounts, type ClickCounts, type Tally } from '#worker/clicks/fold/counts.ts';
import { parseCounts } from '#worker/clicks/fold/counts-codec.ts';
import type { Db } from '#worker/db/client.ts';
import { domainIdsOf } from '#worker/db/domain-names.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import type { ShortOrigins } from '#worker/http/origins.ts';
import { idsOfTags, listTags } from '#worker/tags/tags.ts';
import type { AccountDay } from './account-days.ts';
import { readClicksByDay, readStoredDays } from './click-rows.ts';
import { findClickedLinks, limitToValues, type Days } from './clicked-links.ts';

/**
 * Links of a member with a tag, with targets on a host, on a domain (named by its host; '' for the
 * deployment's own), or all of it. Null does not limit them.
 */
export type Chosen = { tag: string | null; host: string | null; domain: string | null };

export const isLimited = ({ tag, host, domain }: Chosen): boolean =>
  tag !== null || host !== null || domain !== null;

/**
 * The counts of some links of a member, added up by day. Where the days are too many for one
 * request, it counts fewer and says from which on. An unknown tag is on no link, and no link is on
 * an unknown domain.
 */
export async function readChosenDays(
  db: Db,
  { userId, tag, host, domain, origins }: Chosen & { userId: string; origins: ShortOrigins },
  wanted: Days,
): Promise<{ days: AccountDay[]; first: number; links: number }> {
  const tagIds = tag === null ? null : idsOfTags(await listTags(db, userId), [tag]);
  const domains = domain === null ? null : domainIdsOf(origins.domains, domain);
  const choice = { userId, codePrefix: '', ids: null, tagIds, host, domains };
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
