import { openDb, type Db } from '#worker/db/client.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { aggregateClicks } from './aggregate-clicks.ts';
import { mergeClicks, type CountsChange } from './merge-clicks.ts';
import { readStored, type OtherShard } from './read-stored.ts';
import { createUserAgentParser, type UserAgent } from '#worker/http/user-agent.ts';
import { storeKeys, windowKey } from './window-ids.ts';
import { writeChanges } from './write-changes.ts';

/*
 * The counts of a link live in three places: its latest day with clicks in `link_totals`, earlier
 * days as rows of `link_days_N`, and months in `link_months`. A newer click moves the latest day to
 * its own row, a job adds days to their month, and the table of a period is dropped after months.
 *
 * 1. A click is in the counts of exactly one day: its own, in UTC.
 * 2. A link's totals are the sums of its days, where a month replaces its days up to `through`.
 * 3. A window is counted once: the batch that counts it stores its key.
 * 4. Every change of a link raises `rev`, and is written only if `rev` is unchanged since it was
 *    read.
 * 5. Months hold all days up to the latest `through` and none later. A changed day deletes its
 *    month and later ones, which are then added up again.
 */

/**
 * The result of a fold. `clicks` and `windows` count only new ones; rows are counted as D1 reports
 * them.
 */
export type FoldResult = { clicks: number; windows: number; rowsRead: number; rowsWritten: number };

/**
 * The most clicks folded at once, which bounds the memory and the size of a batch. A single window
 * has far fewer.
 */
const CLICKS_MAX = 20_000;
/**
 * Attempts to fold a link that other folds change at the same time. One of them succeeds and the
 * others start over, so every attempt means progress.
 */
const ATTEMPTS_MAX = 25;

/**
 * Adds click windows to the counts in D1, each exactly once, ever (docs/decisions.md#d18).
 * Duplicates, reordering, retries after an unknown outcome, and a window that arrives both through
 * the queue and directly change nothing. Throws when D1 does; calling again with the same windows
 * is always safe. `db` holds the clicks of all these links; `other` describes it if it is not the
 * main database.
 */
export async function foldWindows(
  db: D1Database,
  windows: readonly ClickWindow[],
  now: number,
  other?: OtherShard,
): Promise<FoldResult> {
  const parseUserAgent = createUserAgentParser();
  const total: FoldResult = { clicks: 0, windows: 0, rowsRead: 0, rowsWritten: 0 };
  const unique = new Map(windows.map((window) => [windowKey(window), window]));
  for (const part of splitByClicks([...unique.values()]))
    await foldPart({ db: openDb(db), other }, part, parseUserAgent, now, total);
  return total;
}

/**
 * Reads what the windows touch, merges, and writes the result on condition that nothing has changed
 * since. If the write fails, it reads again: if something has changed, it tries again, otherwise it
 * throws the error.
 */
async function foldPart(
  { db, other }: { db: Db; other: OtherShard | undefined },
  windows: readonly ClickWindow[],
  parseUserAgent: (ua: string) => UserAgent,
  now: number,
  total: FoldResult,
): Promise<void> {
  let remaining = windows;
  let failure: { error: unknown; revisions: string } | null = null;
  for (let attempt = 1; remaining.length > 0; attempt++) {
    const clicks = aggregateClicks(remaining, parseUserAgent);
    const stored = await readStored(db, remaining, clicks, now, other);
    total.rowsRead += stored.rowsRead;
    const uncounted = remaining.filter((window) => !stored.known.has(windowKey(window)));
    if (uncounted.length < remaining.length) {
      remaining = uncounted;
      continue;
    }
    if (failure !== null && (failure.revisions === stored.revisions || attempt > ATTEMPTS_MAX))
      throw failure.error;
    const changes = new Map<number, CountsChange>();
    for (const [link, added] of clicks) {
      const storedLink = stored.links.get(link);
      if (storedLink !== undefined) changes.set(link, mergeClicks(storedLink, added, now));
    }
    const windowsWithRow = storeKeys(remaining, changes, now);
    try {
      total.rowsWritten += await writeChanges(db, windowsWithRow, changes, now);
    } catch (error) {
      failure = { error, revisions: stored.revisions };
      continue;
    }
    total.windows += remaining.length;
    total.clicks += remaining.reduce((sum, window) => sum + window.e.length, 0);
    return;
  }
}

function splitByClicks(windows: readonly ClickWindow[]): ClickWindow[][] {
  const parts: ClickWindow[][] = [];
  let clicksLeft = 0;
  for (const window of windows) {
    if (window.e.length > clicksLeft) {
      parts.push([]);
      clicksLeft = CLICKS_MAX;
    }
    parts.at(-1)?.push(window);
    clicksLeft -= window.e.length;
  }
  return parts;
}
