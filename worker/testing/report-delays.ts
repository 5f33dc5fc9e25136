import { DAY_MS } from '#contract/time.ts';

/**
 * Replaces worker/click-limits/report-delays.ts in Worker tests: an alarm that goes off by itself
 * runs between the requests of a test, where the test pool refuses its statements. Tests run alarms.
 */
export const REPORT_DELAYS = { usual: DAY_MS, atLimit: DAY_MS };
