/**
 * The CPU time of every kind of request, of a batch of the queue and of cron, with the settings of
 * the platform's free plan: `npm run bench -- cpu`. `--times N`: how often each request is sent in
 * a block (default 100), `--blocks N`: of which the quietest counts (default 3), `--only TEXT`:
 * kinds whose name matches. Needs Linux.
 */
import { parseArgs } from 'node:util';
import { measureCalls } from './cpu-calls.ts';
import { withProduct, type Product } from './cpu-product.ts';
import { prepare, type Kind } from './cpu-requests.ts';
import { quantile } from './measure.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '100' },
    blocks: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
  allowPositionals: true,
});

/**
 * These come first in a new isolate, whose code is not compiled yet; the free plan tolerates what
 * is rare.
 */
const WARM_UP = 10;

type Measured = { first: number; warm: number[]; calls: number; d1Calls: number };

async function measure(
  { cpuMs, used }: Product,
  { run, times = Number(values.times) }: Kind,
  block: number,
): Promise<Measured> {
  const spent: number[] = [];
  await used();
  for (let n = 0; n < times + WARM_UP; n++) {
    const before = await cpuMs();
    await run(block * (times + WARM_UP) + n);
    spent.push((await cpuMs()) - before);
  }
  const { calls, d1Calls } = await used();
  return {
    first: spent[0] ?? 0,
    warm: spent.slice(WARM_UP),
    calls: calls / spent.length,
    d1Calls: d1Calls / spent.length,
  };
}

const report = await withProduct(async (product) => {
  const costs = await measureCalls();
  const rows: string[] = [];
  for (const kind of await prepare(product)) {
    if (!new RegExp(values.only).test(kind.name)) continue;
    const blocks: Measured[] = [];
    for (let block = 0; block < Number(values.blocks); block++)
      blocks.push(await measure(product, kind, block));
    const first = blocks[0]?.first ?? Number.NaN;
    // The quietest block: whatever else runs on the machine makes a request take longer, and
    // nothing makes it take less.
    const [best] = blocks.toSorted((a, b) => quantile(a.warm, 0.99) - quantile(b.warm, 0.99));
    const { warm, calls, d1Calls } = best ?? { warm: [], calls: 0, d1Calls: 0 };
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
