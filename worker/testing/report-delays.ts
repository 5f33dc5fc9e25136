import { DAY_MS } from '#contract/time.ts';

/**
 * Replaces worker/click-limits/report-delays.ts in Worker tests: an alarm that the platform starts
 * runs between the requests of a test, where the test pool refuses its statements. Tests run alarms.
 * The delay is long enough for tests with a clock of years ago, which the platform does not know.
 */
const NEVER_MS = 20_000 * DAY_MS;
export const REPORT_DELAYS = { usual: NEVER_MS, atLimit: NEVER_MS / 2 };
