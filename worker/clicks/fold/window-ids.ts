import type { ClickWindow } from '#worker/redirect/click-event.ts';
import type { CountsChange } from './merge-clicks.ts';
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
  changes: ReadonlyMap<number, CountsChange>,
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
