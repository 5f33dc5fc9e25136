import { periodOf } from '#contract/reports/ranges.ts';
import { DAY_MS } from '#contract/time.ts';
import { findVisibleLink, buildReport } from '#worker/reports/report.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import type { ClickEvent, ClickWindow } from '#worker/redirect/click-event.ts';
import { applyMigrations } from '#scripts/backup/migrations.ts';
import { readArguments } from '#scripts/shared/arguments.ts';
import { withLocalEnv } from '#scripts/shared/local-env.ts';
import { median } from './redirect/median.ts';

const { values } = readArguments({
  usage: 'npm run bench -- ingest [options]',
  about: `Measures what counting clicks and building reports cost, with Hop's own code on a local D1. Rows
are D1's own figures and do not depend on the machine; times do, and are medians.`,
  options: {
    rounds: { type: 'string', value: 'N', default: '7', meaning: 'rounds' },
    short: { type: 'boolean', default: false, meaning: 'one round, reports of 20,000 clicks' },
  },
});
const LINKS = 1_000;
const ROUNDS = values.short ? 1 : Number(values.rounds);
/** The second link gets this many folds of 20,000 clicks before its report. */
const FOLDS = values.short ? 1 : 50;
const REPORTS = values.short ? 3 : 50;
const NOON = Date.UTC(2026, 10, 20, 12);
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
];
let serial = 0;

/** A quarter of the clicks are bots. The clicks are spread evenly over `links` links. */
function windows(
  total: number,
  size: number,
  links: number,
  at: (i: number) => number = () => NOON,
): ClickWindow[] {
  const click = (i: number): ClickEvent => ({
    l: 1 + (i % links),
    t: at(i),
    ua: AGENTS[i % AGENTS.length] ?? '',
    r: i % 3 ? `site${i % 12}.example` : '',
    c: 'IN',
    g: 'KA',
    y: `City ${i % 30}`,
    k: `visitor ${i % 50_000}`,
  });
  const made: ClickWindow[] = [];
  for (let from = 0; from < total; from += size)
    made.push({
      v: 1,
      id: `bench-${++serial}`,
      e: Array.from({ length: Math.min(size, total - from) }, (_, i) => click(from + i)),
    });
  return made;
}

async function ingest(db: D1Database): Promise<void> {
  console.log(
    'batch                                  clicks/s   rows written/click   rows read/click',
  );
  const cases = [
    ['1,000 clicks of 1 link, 10 windows', 1_000, 100, 1],
    ['20,000 clicks of 1 link, 100 windows', 20_000, 200, 1],
    ['1,000 clicks of 1,000 links, 20 windows', 1_000, 50, LINKS],
    ['20,000 clicks of 1,000 links, 100 windows', 20_000, 200, LINKS],
    ['100 clicks of 100 links, 100 windows', 100, 1, 100],
  ] as const;
  let day = 0;
  for (const [name, total, size, links] of cases) {
    const rates: number[] = [];
    let rows = { written: 0, read: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      // Every round writes to a different day, whose tables have no counts of these links yet.
      const at = NOON + ++day * DAY_MS;
      await foldWindows(
        db,
        windows(1, 1, 1, () => at),
        at,
      );
      const batch = windows(total, size, links, (i) => at + i);
      const start = performance.now();
      const done = await foldWindows(db, batch, at);
      rates.push((total / (performance.now() - start)) * 1_000);
      rows = { written: done.rowsWritten / total, read: done.rowsRead / total };
    }
    const rate = Math.round(median(rates));
    console.log(
      name.padEnd(42) + String(rate).padStart(5),
      rows.written.toFixed(3).padStart(18),
      rows.read.toFixed(3).padStart(18),
    );
  }
}

async function reports(db: D1Database): Promise<void> {
  const day = (i: number) => NOON - (Math.floor(i / 100) % 10) * DAY_MS;
  await foldWindows(db, windows(1_000, 500, 1, day), NOON);
  const second = (window: ClickWindow): ClickWindow => ({
    ...window,
    e: window.e.map((event) => ({ ...event, l: 2 })),
  });
  for (let n = 0; n < FOLDS; n++)
    await foldWindows(db, windows(20_000, 400, 1, day).map(second), NOON);
  console.log('\nreport of                 rows read   ms (median)');
  for (const [code, name] of [
    ['bench1', '1,000 clicks'],
    ['bench2', `${20_000 * FOLDS} clicks`],
  ] as const) {
    const found = await findVisibleLink(openDb(db), code, { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    const times: number[] = [];
    const period = periodOf({ range: 'all' }, NOON);
    let rows = 0;
    for (let n = 0; n < REPORTS; n++) {
      const start = performance.now();
      const options = {
        period,
        origins: { short: 'https://hop.example', domains: NO_DOMAINS },
        now: NOON,
      };
      rows = (await buildReport(openDb(db), found, options)).rowsRead;
      times.push(performance.now() - start);
    }
    console.log(name.padEnd(25), String(rows).padStart(9), median(times).toFixed(1).padStart(12));
  }
}

async function makeLinks(db: D1Database): Promise<void> {
  const ids = JSON.stringify(Array.from({ length: LINKS }, (_, i) => i + 1));
  await db
    .prepare(
      `INSERT INTO links (id, code, target, target_host, created_at, updated_at)
       SELECT value, 'bench' || value, 'https://example.com/' || value, 'example.com', 0, 0 FROM json_each(?1)`,
    )
    .bind(ids)
    .run();
}

for (const measure of [ingest, reports])
  await withLocalEnv(null, async ({ DB }) => {
    await applyMigrations(DB);
    await makeLinks(DB);
    await measure(DB);
  });
