import { openDb, type Db } from '#worker/db/client.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { aggregateClicks, type LinkClicks } from './aggregate-clicks.ts';
import { mergeClicks, type CountsChange } from './merge-clicks.ts';
import { readStored, type OtherShard, type Stored } from './read-stored.ts';
import { createUserAgentParser, type UserAgent } from '#worker/http/user-agent.ts';
import { storeKeys, windowKey } from './window-ids.ts';
import { writeChanges } from './write-changes.ts';

/*
 * docs/data-model.md#the-life-of-a-count says where counts are stored, and lists the five
 * invariants that hold between any two batches.
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
  const fold: Fold = { db: openDb(db), other, parseUserAgent: createUserAgentParser(), now };
  const unique = new Map(windows.map((window) => [windowKey(window), window]));
  const results: FoldResult[] = [];
  for (const part of splitByClicks([...unique.values()])) results.push(await foldPart(fold, part));
  return sumFolds(results);
}

export function sumFolds(results: readonly FoldResult[]): FoldResult {
  const sum = (count: (result: FoldResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  return {
    clicks: sum(({ clicks }) => clicks),
    windows: sum(({ windows }) => windows),
    rowsRead: sum(({ rowsRead }) => rowsRead),
    rowsWritten: sum(({ rowsWritten }) => rowsWritten),
  };
}

type Fold = {
  db: Db;
  other: OtherShard | undefined;
  parseUserAgent: (ua: string) => UserAgent;
  now: number;
};

/**
 * Folds windows. The write fails if another fold has changed one of the links since they were read;
 * then all is read again. A failure while nothing has changed has another cause, and is thrown.
 */
async function foldPart(fold: Fold, windows: readonly ClickWindow[]): Promise<FoldResult> {
  const result: FoldResult = { clicks: 0, windows: 0, rowsRead: 0, rowsWritten: 0 };
  let failure: { error: unknown; revisions: string } | null = null;
  for (let attempt = 1; ; attempt++) {
    const uncounted = await readUncounted(fold, windows);
    result.rowsRead += uncounted.rowsRead;
    if (uncounted.windows.length === 0) return result;
    const { revisions } = uncounted.stored;
    if (failure !== null && (failure.revisions === revisions || attempt > ATTEMPTS_MAX))
      throw failure.error;
    try {
      result.rowsWritten = await mergeAndWrite(fold, uncounted);
    } catch (error) {
      failure = { error, revisions };
      continue;
    }
    result.windows = uncounted.windows.length;
    result.clicks = uncounted.windows.reduce((sum, window) => sum + window.e.length, 0);
    return result;
  }
}

/** Windows that are not counted yet, their clicks by link, and what is stored of these links. */
type Uncounted = {
  windows: readonly ClickWindow[];
  clicks: ReadonlyMap<number, LinkClicks>;
  stored: Stored;
  rowsRead: number;
};

/**
 * Reads what to fold. If some windows have been counted, reads again without them, because the
 * clicks by link must not include theirs.
 */
async function readUncounted(fold: Fold, windows: readonly ClickWindow[]): Promise<Uncounted> {
  const clicks = aggregateClicks(windows, fold.parseUserAgent);
  const stored = await readStored(fold, windows, clicks);
  const uncounted = windows.filter((window) => !stored.counted.has(windowKey(window)));
  if (uncounted.length === windows.length || uncounted.length === 0)
    return { windows: uncounted, clicks, stored, rowsRead: stored.rowsRead };
  const again = await readUncounted(fold, uncounted);
  return { ...again, rowsRead: stored.rowsRead + again.rowsRead };
}

/** Returns the number of rows written. */
function mergeAndWrite({ db, now }: Fold, { windows, clicks, stored }: Uncounted): Promise<number> {
  const changes = new Map<number, CountsChange>();
  for (const [link, added] of clicks) {
    const storedLink = stored.links.get(link);
    if (storedLink !== undefined) changes.set(link, mergeClicks(storedLink, added, now));
  }
  return writeChanges(db, storeKeys(windows, changes, now), changes, now);
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
