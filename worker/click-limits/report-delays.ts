/**
 * How long after a click an object reports its count to D1, in ms: a link's page shows the count of
 * D1, so this is how old it may be. Tests replace this file (see vitest.config.ts).
 */
export const REPORT_DELAYS = { usual: 10_000, atLimit: 0 };
