import {
  findTopLinks,
  leadingLinks,
  readAccountDays,
  type TopLink,
} from '#worker/reports/account-days.ts';
import type { Db } from '#worker/db/client.ts';
import { findStopped, type StoppedLink } from './store.ts';

const TOP_MAX = 5;
/** One more is read, to know whether the list goes further. */
export const STOPPED_MAX = 10;

/** A week of a member's links, compared with the week before. */
export type WeeklyReport = {
  /** The first and last day, in days since 1970. */
  days: [first: number, last: number];
  clicks: number;
  clicksBefore: number;
  visitors: number;
  top: (TopLink & { clicksBefore: number })[];
  stopped: StoppedLink[];
};

/**
 * The report of the week before `monday`. Null if there is no news: no clicks in two weeks, and no
 * link has stopped.
 */
export async function readWeeklyReport(
  db: Db,
  userId: string,
  monday: number,
): Promise<WeeklyReport | null> {
  const days = (await readAccountDays(db, userId, monday - 14)).filter(({ day }) => day < monday);
  const week = days.filter(({ day }) => day >= monday - 7);
  const before = days.filter(({ day }) => day < monday - 7);
  const clicksOf = (some: typeof days): number =>
    some.reduce((sum, { counts }) => sum + counts.human, 0);
  const [clicks, clicksBefore] = [clicksOf(week), clicksOf(before)];
  const stopped = await findStopped(db, userId, monday, STOPPED_MAX + 1);
  if (clicks === 0 && clicksBefore === 0 && stopped.length === 0) return null;
  const earlier = new Map(leadingLinks(before, Number.POSITIVE_INFINITY));
  const top = (await findTopLinks(db, userId, week)).slice(0, TOP_MAX);
  return {
    days: [monday - 7, monday - 1],
    clicks,
    clicksBefore,
    visitors: week.reduce((sum, { counts }) => sum + counts.visitors, 0),
    top: top.map((link) => Object.assign(link, { clicksBefore: earlier.get(link.id) ?? 0 })),
    stopped,
  };
}
