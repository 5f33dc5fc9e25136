/**
 * True in `npm test -- soak`, which also runs the browser tests that are too long for `npm test`.
 */
export const IS_SOAK = process.env['HOP_SOAK'] !== undefined;
