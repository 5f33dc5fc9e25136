declare namespace Cloudflare {
  interface Env {
    /** Read by vitest.config.ts from migrations/. */
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
    /** The queue of clicks with its consumer. What other tests send to `CLICKS` stays unread. */
    CONSUMED_CLICKS: Queue;
    CLICK_SEED: string;
    CLICK_PATH: string;
    CLICK_RUNS: string;
    /** Set in vitest.config.ts, for worker/testing/soak.ts. */
    SOAK_MINUTES: string;
    SOAK_SEED: string;
  }
}

/** Vite's `?raw` imports: a file's text. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** Vite's `import.meta.glob`: the matching files by path, resolved at build time. */
interface ImportMeta {
  glob(
    pattern: string,
    options?: { query: string; import: string; eager: boolean },
  ): Record<string, unknown>;
}
