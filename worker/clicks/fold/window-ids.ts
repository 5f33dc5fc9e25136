import { sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { job_runs } from '#worker/db/schema-system.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import type { LinkChange } from './merge-clicks.ts';
import { dayNumber } from '#contract/periods.ts';
import { keepsWindows } from './tables.ts';

/**
 * The keys of counted windows. Counting a window writes the rows of its links in any case, so its
 * key is stored in one of them, where that has room, and otherwise as a row of the day's table. A
 * fold reads all of these places and writes the key with the counts, and every fold of a window
 * changes the same links, whose revisions let one of them succeed.
 */
const KEYS_PER_LINK = 40;

/**
 * The day of a window's first click. It comes from the message, so every delivery of a window looks
 * into the same table.
 */
export const windowDay = (window: ClickWindow): number =>
  dayNumber(window.e.reduce((least, event) => Math.min(least, event.t), Number.MAX_SAFE_INTEGER));

/** What a window is known by: the day, then the id that it was given at the redirect. */
export const windowKey = (window: ClickWindow): string => `${windowDay(window)}.${window.id}`;

/**
 * Puts the keys of windows into the rows of their links. Returns the windows for which there is no
 * room.
 */
export function storeKeys(
  windows: readonly ClickWindow[],
  changes: ReadonlyMap<number, LinkChange>,
  now: number,
): ClickWindow[] {
  for (const change of changes.values())
    change.windowKeys = change.windowKeys.filter((key) =>
      keepsWindows(Number.parseInt(key, 10), now),
    );
  return windows.filter((window) => {
    const link = window.e.find(
      ({ l }) => (changes.get(l)?.windowKeys.length ?? KEYS_PER_LINK) < KEYS_PER_LINK,
    );
    if (link !== undefined) changes.get(link.l)?.windowKeys.push(windowKey(window));
    return link === undefined;
  });
}

const FIRST_RUN = 'window-keys:started';
/**
 * Until then keys are stored in tables only, where the previous release looks for them after a
 * rollback.
 */
const WAIT_MS = 2 * DAY_MS;

/** Notes when this release began to count in this database, unless it is noted. */
export async function noteFirstRun(db: Db, now: number): Promise<void> {
  const run = { name: FIRST_RUN, started_at: now, finished_at: now, ok: true, detail: '' };
  await db.insert(job_runs).values(run).onConflictDoNothing();
}

/** True in SQL once keys may be stored with links. */
export const canStoreKeys = (now: number) =>
  sql<
    0 | 1
  >`exists (select 1 from ${job_runs} where ${job_runs.name} = ${FIRST_RUN} and ${job_runs.started_at} <= ${now - WAIT_MS})`;
