import { readArguments } from '#scripts/shared/arguments.ts';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from './chromium.ts';
import { isForMembers, judgePage, pageReport, type PageReport } from './lighthouse-bars.ts';
import { signInDemoAdmin } from '#scripts/demo/sign-ins.ts';
import { ROOT, run } from '#scripts/shared/place.ts';
import { freePort, withProduct } from '#scripts/local/product.ts';

/** Pages of the demo data. Member pages are measured as the owner of the link. */
const PAGES = [
  '/',
  '/pricing',
  '/blogs',
  '/blog/what-a-click-records',
  '/dashboard',
  '/analytics/hono',
];

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
    const reports: PageReport[] = [];
    for (let i = 0; i < runs; i++)
      reports.push(await measureAgain(origin, path, isForMembers(path) ? session : null));
    judgePage(path, reports);
  }
});

/** Repeats a run that failed because the browser crashed or the page was slow to paint. */
async function measureAgain(
  origin: string,
  path: string,
  session: string | null,
  attempt = 1,
): Promise<PageReport> {
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
async function measure(origin: string, path: string, session: string | null): Promise<PageReport> {
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
    return pageReport.parse(JSON.parse(readFileSync(`${file}.report.json`, 'utf8')));
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
