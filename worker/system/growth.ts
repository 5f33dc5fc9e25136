/** The size of the database on a UTC day, which is counted in days since 1970. */
export type SizeOnDay = { day: number; bytes: number };

/** A shorter history does not show the growth. */
const DAYS_MIN = 7;
/** A longer history does not show the present growth. */
const DAYS_MAX = 30;

/**
 * The number of days until a database reaches its limit, if it grows as in its last 30 recorded
 * days. Null if it does not grow, or if too few days are known.
 */
export function daysUntilFull(
  sizes: readonly SizeOnDay[],
  bytes: number,
  limitBytes: number,
): number | null {
  const sorted = sizes.toSorted((a, b) => a.day - b.day);
  const last = sorted.at(-1);
  const first = sorted.find(({ day }) => last !== undefined && day >= last.day - DAYS_MAX);
  if (first === undefined || last === undefined || last.day - first.day < DAYS_MIN) return null;
  const perDay = (last.bytes - first.bytes) / (last.day - first.day);
  return perDay <= 0 ? null : Math.max(0, Math.floor((limitBytes - bytes) / perDay));
}
