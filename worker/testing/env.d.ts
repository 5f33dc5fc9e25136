declare namespace Cloudflare {
  interface Env {
    /** Read by vitest.config.ts from migrations/. */
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
    CLICK_SEED: string;
    CLICK_PATH: string;
    CLICK_RUNS: string;
    /** Of vitest.config.ts, for worker/testing/soak.ts. */
    SOAK_MINUTES: string;
    SOAK_SEED: string;
  }
}

/** Vite's `?raw` imports: a file's text. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** The test runner's, at build time: the files that match, by their path from the root. */
interface ImportMeta {
  glob(pattern: string, options?: { query: string; import: string; eager: boolean }): Record<string, unknown>;
}
