declare namespace Cloudflare {
  interface Env {
    /** vitest.config.ts reads them from migrations/. */
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
    /** The statements that lead to the same schema. */
    TEST_SCHEMA: string[];
    /**
     * The queue of clicks with its consumer. Messages that other tests send to `CLICKS` are never
     * read.
     */
    CONSUMED_CLICKS: Queue;
    CLICK_SEED: string;
    CLICK_PATH: string;
    CLICK_RUNS: string;
    /** vitest.config.ts sets it for worker/testing/soak.ts. */
    SOAK_MINUTES: string;
    SOAK_SEED: string;
  }
}

declare module '*?raw' {
  const text: string;
  export default text;
}

/** Vite's `import.meta.glob` maps the matching paths to their files at build time. */
interface ImportMeta {
  glob(
    pattern: string,
    options?: { query: string; import: string; eager: boolean },
  ): Record<string, unknown>;
}
