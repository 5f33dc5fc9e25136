/**
 * Waits for the next minute of the clock if less than `ms` of this one are left. The rate limits of the platform count per
 * minute of the clock: a test that fills one up must not lose its count halfway.
 */
export async function roomInThisMinute(ms: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < ms) await scheduler.wait(left + 50);
}
