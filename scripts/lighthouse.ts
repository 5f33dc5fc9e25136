/**
 * `npm run lighthouse [-- PATH…]`: runs Lighthouse with its mobile profile against the production build of the home page or of the
 * paths given. Prints the scores and fails below BARS. Reports go to lighthouse/ (not committed).
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { CHROMIUM_ARGS, ensureChromium } from './chromium.ts';
import { ROOT, run } from './place.ts';
import { withProduct } from './product.ts';

const BARS = { performance: 95, accessibility: 100, 'best-practices': 95, seo: 100 } as const;
const LAYOUT_SHIFT_MAX = 0.02;

const report = z.object({
  categories: z.record(z.string(), z.object({ score: z.number() })),
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

const folder = join(ROOT, 'lighthouse');
const paths = process.argv.length > 2 ? process.argv.slice(2) : ['/'];
mkdirSync(folder, { recursive: true });
const chromium = await ensureChromium();

await withProduct(async (origin) => {
  // The first response of a new Worker includes its start-up time.
  for (const path of paths) await (await fetch(origin + path)).text();
  for (const path of paths) judge(path, await measure(origin, path));
});

async function measure(origin: string, path: string): Promise<Report> {
  const file = join(folder, path === '/' ? 'home' : path.slice(1).replaceAll('/', '-'));
  const flags = ['--headless=new', ...CHROMIUM_ARGS].join(' ');
  const { code, output } = await run(
    'lighthouse',
    [
      origin + path,
      `--chrome-flags=${flags}`,
      '--output=json',
      '--output=html',
      `--output-path=${file}`,
      '--quiet',
      '--no-enable-error-reporting',
    ],
    { quiet: true, env: { CHROME_PATH: chromium } },
  );
  if (code !== 0) throw new Error(`Lighthouse failed:\n${output}`);
  return report.parse(JSON.parse(readFileSync(`${file}.report.json`, 'utf8')));
}

function judge(path: string, { categories, audits }: Report): void {
  const shift = audits['cumulative-layout-shift']?.numericValue ?? 0;
  console.log(`\n${path}`);
  for (const [name, bar] of Object.entries(BARS)) {
    const score = Math.round((categories[name]?.score ?? 0) * 100);
    if (score < bar) process.exitCode = 1;
    console.log(`  ${name.padEnd(16)} ${String(score).padStart(3)}  ${score < bar ? `below ${bar}` : 'ok'}`);
  }
  if (shift > LAYOUT_SHIFT_MAX) process.exitCode = 1;
  console.log(`  layout shift     ${shift.toFixed(3)}  ${shift > LAYOUT_SHIFT_MAX ? `above ${LAYOUT_SHIFT_MAX}` : 'ok'}`);
  for (const id of ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'speed-index'])
    console.log(`  ${audits[id]?.title ?? id}: ${audits[id]?.displayValue ?? '–'}`);
  const failed = Object.values(audits).filter(({ score }) => score !== null && score < 0.9);
  for (const { title, displayValue } of failed) console.log(`  - ${title} ${displayValue ?? ''}`);
}
