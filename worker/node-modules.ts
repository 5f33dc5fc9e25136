/**
 * Replaces Node's modules in the deployed bundle ([alias] in wrangler.toml). Loading them takes a
 * fifth of a cold start, and a static import would load them before the first redirect, which needs
 * none. esbuild evaluates this file when the first module that needs it is evaluated.
 */
export const {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPublicKey,
  randomBytes,
  scrypt,
  timingSafeEqual,
  verify,
} = process.getBuiltinModule('node:crypto');
export const { domainToUnicode } = process.getBuiltinModule('node:url');
export const { gunzipSync, gzipSync } = process.getBuiltinModule('node:zlib');
