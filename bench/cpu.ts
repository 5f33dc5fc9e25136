/**
 * The CPU time of every kind of request, of a batch of the queue and of cron, with the settings of the platform's free plan:
 * `npm run bench -- cpu`. `--times N`: how often each request is sent (default 200), `--only TEXT`: kinds with this in their name.
 * Needs Linux.
 */
import { parseArgs } from 'node:util';
import { measureCalls } from './cpu-calls.ts';
import { withProduct, type Product } from './cpu-product.ts';
import { prepare, type Kind } from './cpu-requests.ts';
import { quantile } from './measure.ts';

const { values } = parseArgs({
  options: { times: { type: 'string', default: '200' }, only: { type: 'string', default: '' } },
  allowPositionals: true,
});

/** These come first in a new isolate, whose code is not compiled yet; the free plan tolerates what is rare. */
const WARM_UP = 10;

type Measured = { first: number; warm: number[]; calls: number; d1Calls: number };

async function measure({ cpuMs, used }: Product, { run, times = Number(values.times) }: Kind): Promise<Measured> {
  const spent: number[] = [];
  await used();
  for (let n = 0; n < times + WARM_UP; n++) {
    const before = await cpuMs();
    await run(n);
    spent.push((await cpuMs()) - before);
  }
  const { calls, d1Calls } = await used();
  return { first: spent[0] ?? 0, warm: spent.slice(WARM_UP), calls: calls / spent.length, d1Calls: d1Calls / spent.length };
}

const report = await withProduct(async (product) => {
  const costs = await measureCalls();
  const rows: string[] = [];
  for (const kind of await prepare(product)) {
    if (!kind.name.includes(values.only)) continue;
    const { first, warm, calls, d1Calls } = await measure(product, kind);
    const p99 = quantile(warm, 0.99);
    const inCalls = d1Calls * costs.d1 + (calls - d1Calls) * costs.kv;
    const ms = [quantile(warm, 0.5), p99, p99 - inCalls, first].map((one) => one.toFixed(1));
    rows.push(`| ${kind.name} | ${warm.length} | ${calls.toFixed(0)} | ${ms.join(' | ')} |`);
    console.error(rows.at(-1));
  }
  return `A call of D1 that reads nothing takes ${costs.d1.toFixed(2)} ms, one of KV ${costs.kv.toFixed(2)} ms.

| what | times | calls | p50 ms | p99 ms | p99 without calls | first ms |
|---|---|---|---|---|---|---|
${rows.join('\n')}`;
});
console.log(report);
