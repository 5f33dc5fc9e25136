/**
 * Replaces worker/auth/password/scrypt-params.ts in Worker tests, which hash thousands of
 * passwords: 2 ms per hash instead of 140 ms. A test file that needs the real cost assigns the
 * deployed parameters to `SCRYPT`.
 */
export const SCRYPT = { ln: 10, r: 8, p: 1 };
