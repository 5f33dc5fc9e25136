/** True in `npm test -- soak`, which runs all browser tests; `npm test` leaves some out. */
export const IS_SOAK = process.env['HOP_SOAK'] !== undefined;

export const SOAK_TAG = '@soak';
/**
 * Details of a test that only `npm test -- soak` runs, because component tests or tests of the
 * Worker prove the same rule without a browser.
 */
export const IN_SOAK = { tag: SOAK_TAG };
