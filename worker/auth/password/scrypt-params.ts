/** Cost parameters of scrypt; `ln` is log2 of N. */
export type ScryptParams = { ln: number; r: number; p: number };

/**
 * The parameters of new hashes: a set that OWASP lists, with 16 MiB and about 140 ms per hash. More
 * memory does not fit an isolate, and the platform caps PBKDF2. There is no setting for it. Tests
 * replace this file (see vitest.config.ts).
 */
export const SCRYPT: ScryptParams = { ln: 14, r: 8, p: 5 };
