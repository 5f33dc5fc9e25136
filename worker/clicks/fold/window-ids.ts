import type { ClickWindow } from '#worker/redirect/click-event.ts';
import type { CountsChange } from './merge-clicks.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { keepsWindows } from './tables.ts';

/**
 * The most window keys that a link's row stores. A key there needs no row of its own, because the
 * fold writes the link's row anyway.
 */
const KEYS_PER_LINK = 40;

/**
 * The UTC day of a window's first click. It depends only on the message, so every delivery of a
 * window looks in the same table.
 */
export const windowDay = (window: ClickWindow): number =>
  dayNumber(window.e.reduce((least, event) => Math.min(least, event.t), Number.MAX_SAFE_INTEGER));

/**
 * The key by which a counted window is recognized: its day, then the id that it got at the
 * redirect.
 */
export const windowKey = (window: ClickWindow): string => `${windowDay(window)}.${window.id}`;

/**
 * Stores the key of each window in the row of one of its links, and removes expired keys. Returns
 * the windows whose links have no room for a key. Two folds of a window change the same links, so
 * `rev` lets only one of them store its key.
 */
export function storeKeys(
  windows: readonly ClickWindow[],
  changes: ReadonlyMap<number, CountsChange>,
  now: number,
): ClickWindow[] {
  for (const change of changes.values())
    change.windowKeys = change.windowKeys.filter((key) =>
      keepsWindows(Number.parseInt(key, 10), now),
    );
  return windows.filter((window) => {
    const click = window.e.find(
      ({ l }) => (changes.get(l)?.windowKeys.length ?? KEYS_PER_LINK) < KEYS_PER_LINK,
    );
    if (click !== undefined) changes.get(click.l)?.windowKeys.push(windowKey(window));
    return click === undefined;
  });
}
