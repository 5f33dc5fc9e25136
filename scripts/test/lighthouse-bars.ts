import * as z from 'zod/mini';

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
/** True for a page that only its owner may see. */
export const isForMembers = (path: string): boolean =>
  /^\/(dashboard|analytics|settings|admin)/.test(path);

export const pageReport = z.object({
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
export type PageReport = z.infer<typeof pageReport>;

/** Prints the medians of a page with their spread. A page that misses a bar fails the command. */
export function judgePage(path: string, reports: readonly PageReport[]): void {
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
