import { readArguments } from '#scripts/shared/arguments.ts';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import * as z from 'zod/mini';
import { CHROMIUM_ARGS, ensureChromium } from './chromium.ts';
import { signInDemoAdmin } from '#scripts/demo/sign-ins.ts';
import { ROOT, run } from '#scripts/shared/place.ts';
import { freePort, withProduct } from '#scripts/local/product.ts';

type Bars = { atLeast: Readonly<Record<string, number>>; atMost: Readonly<Record<string, number>> };
const LAYOUT_SHIFT = { 'cumulative-layout-shift': 0.02 };
const PUBLIC: Bars = {
  atLeast: { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 },
  atMost: { ...LAYOUT_SHIFT, 'first-contentful-paint': 1200, 'largest-contentful-paint': 1800 },
};
/** Search engines never index these pages. */
const MEMBERS: Bars = {
  atLeast: { performance: 90, accessibility: 100, 'best-practices': 100 },
  atMost: LAYOUT_SHIFT,
};
/** Pages of the demo data. Member pages are measured as the owner of the link. */
const PAGES = [
  '/',
  '/pricing',
  '/blogs',
  '/blog/what-a-click-records',
  '/dashboard',
  '/analytics/hono',
];
const isForMembers = (path: string): boolean =>
  /^\/(dashboard|analytics|settings|admin)/.test(path);

const report = z.object({
  categories: z.record(z.string(), z.object({ score: z.nullable(z.number()) })),
  audits: z.record(
    z.string(),
    z.object({
      score: z.nullable(z.number()),
      title: z.string(),
      numericValue: z.optional(z.number()),
      displayValue: z.optional(z.string()),
    }),
  ),
});
type Report = z.infer<typeof report>;

const { values, positionals } = readArguments({
  usage: 'npm run lighthouse -- [PATH…] [options]',
  about: `Runs Lighthouse with its mobile profile against the production build of the pages, or of those named.
Prints medians with their spread, and fails where one misses a bar. The report of the last run of
each page goes to lighthouse/ (not committed).`,
  options: { runs: { type: 'string', value: 'N', default: '5', meaning: 'runs of each page' } },
});
const runs = Math.max(1, Number(values.runs));
const ATTEMPTS_MAX = 3;
const paths = positionals.length > 0 ? positionals : PAGES;
const folder = join(ROOT, 'lighthouse');
mkdirSync(folder, { recursive: true });
const executablePath = await ensureChromium();

await withProduct(async (origin) => {
  const session = JSON.stringify(await signInDemoAdmin(origin));
  for (const path of paths) {
    // The first response of a new Worker includes its start-up time, so it is not measured.
    await (await fetch(origin + path)).text();
    const reports: Report[] = [];
    for (let i = 0; i < runs; i++)
      reports.push(await measureAgain(origin, path, isForMembers(path) ? session : null));
    judge(path, reports);
  }
});

/** Repeats a run that failed because the browser crashed or the page was slow to paint. */
async function measureAgain(
  origin: string,
  path: string,
  session: string | null,
  attempt = 1,
): Promise<Report> {
  try {
    return await measure(origin, path, session);
  } catch (error) {
    if (attempt === ATTEMPTS_MAX) throw error;
    console.error(
      `${path}, attempt ${attempt}: ${error instanceof Error ? error.message : String(error)}`,
    );
    return measureAgain(origin, path, session, attempt + 1);
  }
}

/** Measures once in a new browser profile that contains only the session. */
async function measure(origin: string, path: string, session: string | null): Promise<Report> {
  const file = join(folder, path === '/' ? 'home' : path.slice(1).replaceAll('/', '-'));
  const profile = mkdtempSync(join(tmpdir(), 'hop-lighthouse-'));
  const port = await freePort();
  const args = [...CHROMIUM_ARGS, `--remote-debugging-port=${port}`];
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args });
  try {
    if (session !== null) {
      const page = await browser.newPage();
      // An empty page keeps the application out of the cache.
      await page.route(`${origin}/empty`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '' }),
      );
      await page.goto(`${origin}/empty`);
      await page.evaluate((text) => localStorage.setItem('sb-localhost-auth-token', text), session);
      await page.close();
    }
    const flags = [
      `--port=${port}`,
      '--disable-storage-reset',
      '--output=json',
      '--output=html',
      `--output-path=${file}`,
    ];
    const { code, output } = await run(
      'lighthouse',
      [origin + path, ...flags, '--quiet', '--no-enable-error-reporting'],
      {
        quiet: true,
      },
    );
    if (code !== 0) throw new Error(`Lighthouse failed:\n${output}`);
    return report.parse(JSON.parse(readFileSync(`${file}.report.json`, 'utf8')));
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function judge(path: string, reports: readonly Report[]): void {
  const bars = isForMembers(path) ? MEMBERS : PUBLIC;
  console.log(`\n${path}`);
  for (const [name, bar] of Object.entries(bars.atLeast)) {
    const scores = reports.map(({ categories }) =>
      Math.round((categories[name]?.score ?? 0) * 100),
    );
    say(name, scores, bar, median(scores) >= bar ? 'ok' : `below ${bar}`, 0);
  }
  for (const [id, bar] of Object.entries(bars.atMost)) {
    const numbers = reports.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN);
    say(id, numbers, bar, median(numbers) <= bar ? 'ok' : `above ${bar}`, bar < 1 ? 3 : 0);
  }
  for (const id of ['total-blocking-time', 'speed-index'])
    console.log(
      `  ${id}: ${reports.map(({ audits }) => audits[id]?.displayValue ?? '–').join(', ')}`,
    );
  const failed = Object.values(reports.at(-1)?.audits ?? {}).filter(
    ({ score }) => score !== null && score < 0.9,
  );
  for (const { title, displayValue } of failed) console.log(`  - ${title} ${displayValue ?? ''}`);
}

function say(
  name: string,
  numbers: readonly number[],
  bar: number,
  verdict: string,
  digits: number,
): void {
  if (verdict !== 'ok') process.exitCode = 1;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)].map((number) =>
    number.toFixed(digits),
  );
  console.log(
    `  ${name.padEnd(26)} ${median(numbers).toFixed(digits).padStart(6)}  (${low} to ${high}, bar ${bar})  ${verdict}`,
  );
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
