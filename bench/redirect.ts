import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from '#scripts/shared/arguments.ts';
import { load, requestsFor } from './redirect/load.ts';
import { median, withInterval } from './redirect/median.ts';
import { bareWorker, hopWorker, linksFor } from './redirect/targets.ts';
import { cpuOf, startWorkerd, type Running, type Target } from './redirect/workerd.ts';

const { values } = readArguments({
  usage: 'npm run bench -- redirect [options]',
  about: `Compares the CPU time of Hop's redirects with that of a bare Worker: both are alive at once and
are loaded in turns. Needs Linux, and a machine that does nothing else.`,
  options: {
    pairs: { type: 'string', value: 'N', default: '60', meaning: 'pairs of slices' },
    slice: { type: 'string', value: 'MS', default: '500', meaning: 'length of a slice' },
    short: { type: 'boolean', default: false, meaning: 'a run of seconds that decides nothing' },
  },
});
const PAIRS = values.short ? 4 : Number(values.pairs);
const SLICE_MS = values.short ? 50 : Number(values.slice);
const WARM_UP_MS = values.short ? 100 : 3_000;
const WINDOW_MS = 100;
/** The CPU time of a slice includes the delivery of its last window, which takes this long. */
const DRAIN_MS = WINDOW_MS + 100;
/**
 * Under constant load, 1,000 links are read from KV again every 5 s. Here the memory also expires
 * while the other Worker has its turn, so fewer links cause as many reads per second of load.
 */
const LINKS = Math.round((1_000 * SLICE_MS) / (2 * (SLICE_MS + DRAIN_MS)));

const links = linksFor(LINKS);
const requests = requestsFor(links.map(({ code }) => code));

/** `cpu` is in µs per request and includes the work after the response. */
type Slice = { cpu: number; rate: number; messages: number };

async function measureSlice({ port, child, messages }: Running, ms: number): Promise<Slice> {
  const pid = child.pid ?? 0;
  const [cpu, sent] = [cpuOf(pid), await messages()];
  const done = await load(port, requests, ms);
  await sleep(DRAIN_MS);
  const used = cpuOf(pid) - cpu;
  return {
    cpu: used / done.requests,
    rate: (done.requests / done.ms) * 1_000,
    messages: ((await messages()) - sent) / done.requests,
  };
}

async function compare(memory: 'on' | 'off', folder: string): Promise<string> {
  const started: Running[] = [];
  try {
    const targets: Target[] = [
      bareWorker(links, memory, WINDOW_MS),
      await hopWorker(links, memory, WINDOW_MS),
    ];
    for (const target of targets)
      started.push(await startWorkerd(target, join(folder, memory, String(started.length))));
    const pairs: Slice[][] = [];
    for (const one of started) await measureSlice(one, WARM_UP_MS);
    for (let n = 0; n < PAIRS; n++) {
      const order = n % 2 === 0 ? started : started.toReversed();
      const slices: Slice[] = [];
      for (const one of order) slices.push(await measureSlice(one, SLICE_MS));
      pairs.push(n % 2 === 0 ? slices : slices.toReversed());
    }
    const of = (at: number, get: (slice: Slice) => number): number[] =>
      pairs.map((pair) => get(pair[at] ?? { cpu: Number.NaN, rate: 0, messages: 0 }));
    const ratio = (get: (slice: Slice) => number): number[] => {
      const [bare, ours] = [of(0, get), of(1, get)];
      return bare.map((one, i) => one / (ours[i] ?? Number.NaN));
    };
    const both = (get: (slice: Slice) => number, digits: number): string =>
      [0, 1].map((at) => median(of(at, get)).toFixed(digits)).join(' / ');
    const cells = [
      memory,
      both(({ cpu }) => cpu, 1),
      `**${withInterval(ratio(({ cpu }) => cpu))}**`,
      both(({ rate }) => rate, 0),
      withInterval(ratio(({ rate }) => 1 / rate)),
      both(({ messages }) => messages, 4),
    ];
    return `| ${cells.join(' | ')} |`;
  } finally {
    for (const { child } of started) child.kill('SIGKILL');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hop-bench-'));
try {
  const rows = [await compare('off', folder), await compare('on', folder)];
  console.log(`Bare Worker / Hop, ${PAIRS} pairs of slices of ${SLICE_MS} ms; a ratio above 1 is in Hop's favor.

| memory | CPU µs per redirect | ratio of CPU, 95 % interval | redirects/s | ratio of redirects/s | messages per redirect |
|---|---|---|---|---|---|
${rows.join('\n')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
