import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { unstable_readConfig } from 'wrangler';
import { schemaScript } from './scripts/checks/schema-files.ts';
import { eagerImports, resettableState } from './scripts/testing/worker-modules.ts';
import { apiReference } from './web/api-reference.ts';

/** The [vars] of wrangler.toml. */
function deployedVars(): Record<string, string> {
  const { vars } = unstable_readConfig({ config: './wrangler.toml' });
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]));
}

/** The files that Worker tests replace, each for the one file that names it. */
const REPLACED: Readonly<Record<string, string>> = {
  // Password hashes take 2 ms, not 140 ms.
  './scrypt-params.ts': '/worker/auth/password/password.ts',
  './report-delays.ts': '/worker/click-limits/count-clicks.ts',
};

/** A file that imports the deployed values itself gets those. */
const replaceFiles: Plugin = {
  name: 'replace-files-of-tests',
  enforce: 'pre',
  resolveId: (source, importer) => {
    const replaced = REPLACED[source];
    return replaced !== undefined && importer?.endsWith(replaced) === true
      ? resolve('worker/testing', source)
      : undefined;
  },
};

/** Each takes longer than all small files together, because it starts programs or waits. */
const LONG_FILES = [
  'worker/domains/saas/tenants.test.ts',
  'scripts/checks/short-forms.test.ts',
  'scripts/backup/backup-commands.test.ts',
  'scripts/deploy/lifecycle.test.ts',
  'scripts/checks/operations.test.ts',
];

/**
 * Without an earlier run, Vitest starts with the largest files. The files that take the longest are
 * small, and at the end one core would wait for them.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONG_FILES.some((file) => moduleId.endsWith(`/${file}`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        plugins: [
          replaceFiles,
          eagerImports,
          resettableState,
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // For tests of several click databases (worker/testing/shards.ts). Their names make
              // no difference to all others.
              d1Databases: Object.fromEntries(
                Array.from({ length: 15 }, (_, i) => [`SHARD_${i + 1}`, `shard-${i + 1}`]),
              ),
              // A message that a test leaves behind would reach the Worker while the next file
              // replaces storage and modules.
              queueProducers: {
                CLICKS: 'without-consumer',
                WEBHOOKS: 'without-consumer',
                CONSUMED_CLICKS: 'clicks',
              },
              // Tests that fetch something replace `fetch`. Any other request gets the same answer
              // with and without a network.
              outboundService: ({ url }) =>
                new Response(`Tests reach no network: ${url}`, { status: 503 }),
              bindings: {
                // As deployed, whatever a developer's own .dev.vars says.
                ...deployedVars(),
                // Short, because tests wait for the window of every redirect. No request is logged
                // by chance.
                CLICK_WINDOW_MS: '1',
                LOG_SAMPLE_RATE: '0',
                TEST_MIGRATIONS: await readD1Migrations('./migrations'),
                TEST_SCHEMA: schemaScript(),
                // Most tests sign tokens as a hosted HS256 project would; the embedded sign-in has
                // tests of its own.
                SUPABASE_URL: 'https://project.supabase.example',
                SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_test',
                SUPABASE_JWT_SECRET: 'a-secret-of-the-tests-with-32-bytes!',
                AUTH_SECRET: 'another-secret-of-the-tests-32-bytes',
                APP_ORIGIN: 'http://localhost:8787',
                // To replay or lengthen worker/clicks/fold/model.test.ts.
                CLICK_SEED: process.env.CLICK_SEED ?? '',
                CLICK_PATH: process.env.CLICK_PATH ?? '',
                CLICK_RUNS: process.env.CLICK_RUNS ?? '',
                // Property tests: for how long, and which seed to replay (see
                // worker/testing/soak.ts).
                SOAK_MINUTES: process.env['HOP_SOAK_MINUTES'] ?? '',
                SOAK_SEED: process.env['HOP_SEED'] ?? '',
              },
            },
          })),
        ],
        test: {
          name: 'worker',
          // A workerd per file would take more than a minute; setup.ts separates the files.
          isolate: false,
          // Each compiles all modules of the Worker, so that four take a fifth more CPU time than two.
          maxWorkers: 2,
          include: ['worker/**/*.test.ts'],
          setupFiles: ['./worker/testing/setup.ts'],
          // One module per package instead of up to 120: every test file evaluates them again.
          deps: {
            optimizer: {
              ssr: {
                enabled: true,
                include: [
                  '@supabase/supabase-js',
                  'drizzle-orm',
                  'drizzle-orm/d1',
                  'drizzle-orm/sqlite-core',
                  'fast-check',
                  'hono',
                  'hono/cors',
                  'hono/method-not-allowed',
                  'hono/request-id',
                  'hono/route',
                  'jose',
                  'zod/mini',
                ],
              },
            },
          },
          // Long, for busy machines and slow disks. No test waits for these limits.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        plugins: [react(), apiReference()],
        test: {
          name: 'web',
          include: ['{web,extension}/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // An environment per file would take four times as long; setup.ts separates the files.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          setupFiles: ['./web/testing/setup.ts'],
          // Long, as above.
          testTimeout: 120_000,
        },
      },
      // The npm commands and what they build, and the map of the browser tests, in Node.
      {
        test: {
          name: 'scripts',
          include: ['{scripts,bench,cli,e2e}/**/*.test.ts'],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          setupFiles: ['./scripts/testing/setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
