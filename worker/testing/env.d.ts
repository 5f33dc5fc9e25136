declare namespace Cloudflare {
  interface Env {
    /** Read by vitest.config.ts from migrations/. */
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
  }
}
