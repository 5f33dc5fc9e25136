/**
 * True in `npm test -- soak`, which includes the browser tests that are too long for `npm test`.
 */
export const IS_SOAK = process.env['HOP_SOAK'] !== undefined;
