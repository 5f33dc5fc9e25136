import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LINK_MEMORY_SECONDS } from '#contract/limits.ts';
import { readArguments } from '#scripts/shared/arguments.ts';
import { createLoad, requestsFor } from './redirect/load.ts';
import { median, withInterval } from './redirect/median.ts';
import {
  bareWorker,
  hopWorker,
  linksFor,
  THREE_RULES,
  THREE_VARIANTS,
  type Memory,
} from './redirect/targets.ts';
import { cpuOf, startWorkerd, type Running, type Target } from './redirect/workerd.ts';

const { values } = readArguments({
  usage: 'npm run bench -- redirect [options]',
  about: `Compares the CPU time of Hop's redirects with that of a bare Worker, and of links with three rules or variants
or on another host with that of plain ones. Both of a pair answer the same requests at the same time, so that noise meets both
alike. Needs Linux.`,
  options: {
    starts: { type: 'string', value: 'N', default: '10', meaning: 'how often each pair starts' },
    slices: { type: 'string', value: 'N', default: '60', meaning: 'number of slices per start' },
    only: {
      type: 'string',
      value: 'TEXT',
      default: '',
      meaning: 'only pairs with this in their name',
    },
    short: { type: 'boolean', default: false, meaning: 'a run of seconds that decides nothing' },
  },
});
const STARTS = values.short ? 1 : Number(values.starts);
const SLICES = values.short ? 2 : Number(values.slices);
/** V8 has optimized both Workers after some ten thousand redirects. */
const WARM_UP = values.short ? 100 : 30_000;
/** The length of a slice, and of a window of clicks: a slice delivers about one window. */
const SLICE_MS = 100;
/**
 * How often Hop's memory answers for a link before it reads KV again. The memory expires by the
 * clock, so without this the result would depend on the speed of the machine. 65 is what 1,000
 * links get at 13,000 redirects a second, the most that one core answers.
 */
const ANSWERS_PER_READ = 65;

/** The CPU time of each Worker so far in µs, the work after its responses included. */
const cpusOf = (workers: readonly Running[]): number[] =>
  workers.map(({ child }) => cpuOf(child.pid ?? 0));
const messagesOf = (workers: readonly Running[]): Promise<number[]> =>
  Promise.all(workers.map(({ messages }) => messages()));
/** How much each number has grown, per redirect. */
const growth = (before: readonly number[], after: readonly number[], redirects: number): number[] =>
  after.map((number, i) => (number - (before[i] ?? 0)) / redirects);

const links = linksFor(1_000);
const bare = (memory: Memory): Target => bareWorker(links, memory, SLICE_MS);
const hop = (memory: Memory): Promise<Target> => hopWorker(links, memory, SLICE_MS);
const hopWithRules = (memory: Memory): Promise<Target> =>
  hopWorker(links, memory, SLICE_MS, { rules: THREE_RULES });
const hopWithVariants = (memory: Memory): Promise<Target> =>
  hopWorker(links, memory, SLICE_MS, { variants: THREE_VARIANTS });
const hopOnDomain = (memory: Memory): Promise<Target> =>
  hopWorker(links, memory, SLICE_MS, { isOnDomain: true });

type Pair = { name: string; targets: readonly Target[] };
/** What one start of a pair shows: its CPU times in µs, their ratio, and messages, per redirect. */
type Start = { cpus: number[]; ratio: number; messages: number[] };

/**
 * Processes of the same Worker differ by up to 5 % for as long as they live, so each start is one
 * measurement.
 */
async function compare(memory: Memory, { name, targets }: Pair, folder: string): Promise<string> {
  const starts: Start[] = [];
  for (let n = 0; n < STARTS; n++) starts.push(await measureStart(memory, targets, folder));
  const both = (of: (start: Start) => number[]): number[] =>
    [0, 1].map((at) => median(starts.map((start) => of(start)[at] ?? Number.NaN)));
  const cpus = inTurns(
    both((start) => start.cpus),
    1,
  );
  const ratio = withInterval(starts.map((start) => start.ratio));
  const messages = inTurns(
    both((start) => start.messages),
    4,
  );
  return `| ${name} | ${memory} | ${cpus} | **${ratio}** | ${messages} |`;
}

async function measureStart(
  memory: Memory,
  targets: readonly Target[],
  folder: string,
): Promise<Start> {
  const workers: Running[] = [];
  try {
    for (const target of targets)
      workers.push(await startWorkerd(target, mkdtempSync(join(folder, 'worker-'))));
    const load = await createLoad(workers.map(({ port }) => port));
    const all = requestsFor(links.map(({ code }) => code));
    let [warm, seconds] = [0, 0];
    for (; warm < WARM_UP; seconds += SLICE_MS / 1_000) warm += await load.send(all, SLICE_MS);
    const codes = Math.ceil(((warm / seconds) * LINK_MEMORY_SECONDS) / ANSWERS_PER_READ);
    const requests =
      memory === 'on' ? requestsFor(links.slice(0, codes).map(({ code }) => code)) : all;
    const slices: number[][] = [];
    const messagesBefore = await messagesOf(workers);
    let total = 0;
    for (let n = 0; n < SLICES; n++) {
      const before = cpusOf(workers);
      const redirects = await load.send(requests, SLICE_MS);
      slices.push(growth(before, cpusOf(workers), redirects));
      total += redirects;
    }
    const messages = growth(messagesBefore, await messagesOf(workers), total);
    load.close();
    return {
      cpus: [0, 1].map((at) => median(slices.map((slice) => slice[at] ?? Number.NaN))),
      ratio: median(slices.map(([one = Number.NaN, other = Number.NaN]) => one / other)),
      messages,
    };
  } finally {
    for (const { child } of workers) child.kill('SIGKILL');
  }
}

const inTurns = (numbers: readonly number[], digits: number): string =>
  numbers.map((number) => number.toFixed(digits)).join(' / ');

const folder = mkdtempSync(join(tmpdir(), 'hop-bench-'));
try {
  const rows: string[] = [];
  for (const memory of ['off', 'on'] as const) {
    const plain = await hop(memory);
    const pairs: Pair[] = [
      { name: 'bare / Hop', targets: [bare(memory), plain] },
      { name: 'plain / three rules', targets: [plain, await hopWithRules(memory)] },
      { name: 'plain / three variants', targets: [plain, await hopWithVariants(memory)] },
      { name: 'own host / another host', targets: [plain, await hopOnDomain(memory)] },
    ];
    for (const pair of pairs)
      if (pair.name.includes(values.only)) rows.push(await compare(memory, pair, folder));
  }
  if (rows.length === 0) throw new Error(`No pair has “${values.only}” in its name.`);
  console.log(`${STARTS} starts of ${SLICES} slices of ${SLICE_MS} ms; a ratio above 1 is in favor of the second of a pair.

| pair | memory | CPU µs per redirect | ratio of CPU, 95 % interval | messages per redirect |
|---|---|---|---|---|
${rows.join('\n')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
