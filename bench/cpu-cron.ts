/**
 * A day of cron with the settings of the free plan, minute by minute on a simulated clock: CPU time
 * per invocation, and what D1 and KV are asked to write. `npm run bench -- cron` is without links
 * and clicks; `--links N` puts links into the database first.
 */
import { parseArgs } from 'node:util';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { measureCalls } from './cpu-calls.ts';
import { withProduct, type Product } from './cpu-product.ts';
import { quantile } from './measure.ts';

const { values } = parseArgs({
  options: {
    links: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '1440' },
  },
  allowPositionals: true,
});
/**
 * In the future, because a job that ran before it was due would be recorded as finished before it
 * began.
 */
const START = Date.UTC(2027, 0, 10);
/** The jobs' first runs set up keys and marks: a day begins after them. */
const WARM_UP = 60;

const costs = await measureCalls();

/** `ownMs`: `ms` without what calls of the storage cost. */
type Minute = { ms: number; ownMs: number; jobs: string[] };

async function runDay({ cron, cpuMs, sql, used }: Product): Promise<void> {
  const day: Minute[] = [];
  const sum = { statements: 0, calls: 0, rowsWritten: 0, kvWrites: 0 };
  const rowsByTable = new Map<string, number>();
  for (let minute = -WARM_UP; minute < Number(values.minutes); minute++) {
    const at = START + minute * MINUTE_MS;
    const before = await cpuMs();
    await cron(at);
    const ms = (await cpuMs()) - before;
    const done = await used();
    if (minute < 0) continue;
    for (const name of ['statements', 'calls', 'rowsWritten', 'kvWrites'] as const)
      sum[name] += done[name];
    for (const [table, rows] of Object.entries(done.rowsByTable))
      rowsByTable.set(table, (rowsByTable.get(table) ?? 0) + rows);
    const ownMs = ms - done.d1Calls * costs.d1 - (done.calls - done.d1Calls) * costs.kv;
    const names = await sql(
      `SELECT name FROM job_runs WHERE started_at = ?1 AND name NOT LIKE '%:%'`,
      at,
    );
    await used();
    day.push({ ms, ownMs, jobs: names.map(([name]) => String(name)) });
  }
  const line = (name: string, minutes: Minute[]): string => {
    const times = minutes.map(({ ms }) => ms);
    const own = minutes.map((minute) => minute.ownMs);
    const figures = [
      quantile(times, 0.5),
      quantile(times, 0.99),
      Math.max(...times),
      quantile(own, 0.99),
    ].map((one) => one.toFixed(1));
    return `| ${name} | ${minutes.length} | ${figures.join(' | ')} |`;
  };
  const jobs = [...new Set(day.flatMap((minute) => minute.jobs))].toSorted();
  const tables = [...rowsByTable]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, rows]) => `${name} ${rows}`);
  console.log(`${day.length} invocations with ${values.links} links: ${sum.statements} statements in ${sum.calls} calls, ${sum.rowsWritten} rows written (${tables.join(', ')}), ${sum.kvWrites} writes to KV.

| invocations with the job | times | p50 ms | p99 ms | longest ms | p99 without calls |
|---|---|---|---|---|---|
${[
  line('all', day),
  ...jobs.map((job) =>
    line(
      job,
      day.filter((minute) => minute.jobs.includes(job)),
    ),
  ),
].join('\n')}`);
}

await withProduct(async (product) => {
  await product.sql(
    `INSERT INTO links (code, target, target_host, created_at, updated_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     SELECT 'l' || i, 'https://example.com/landing/' || i, 'example.com', ?2, ?2 FROM n WHERE ?1 > 0`,
    Number(values.links),
    START - 30 * DAY_MS,
  );
  await runDay(product);
});
