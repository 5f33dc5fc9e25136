import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { aggregateWindow, type WindowRows } from './aggregate-window.ts';
import { foldRows, splitIntoParts, type FoldResult } from './store.ts';
import { createUserAgentParser } from './user-agent.ts';

/**
 * Adds click windows to the counts in D1, each exactly once, ever (docs/decisions.md#d18). Duplicates, reordering,
 * retries after an unknown outcome, and a window that arrives both through the queue and directly change nothing.
 * Runs one atomic batch of five statements per about 600 KB of rows, whatever the number of clicks.
 * Throws when D1 does; calling again with the same windows is always safe.
 */
export async function foldWindows(db: D1Database, windows: readonly ClickWindow[], now: number): Promise<FoldResult> {
  const parseUserAgent = createUserAgentParser();
  const rows = new Map<string, WindowRows>();
  for (const window of windows) {
    const aggregated = aggregateWindow(window, parseUserAgent);
    if (!rows.has(aggregated.key)) rows.set(aggregated.key, aggregated);
  }
  const total: FoldResult = { clicks: 0, windows: 0, rowsRead: 0, rowsWritten: 0, visitorRows: 0 };
  for (const part of splitIntoParts([...rows.values()])) {
    const result = await foldRows(db, part, crypto.randomUUID(), now);
    total.clicks += result.clicks;
    total.windows += result.windows;
    total.rowsRead += result.rowsRead;
    total.rowsWritten += result.rowsWritten;
    total.visitorRows += result.visitorRows;
  }
  return total;
}
