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
  about: `Compares the CPU time of Hop's redirects with that of a bare Worker. Both answer the same requests
at the same time, so that noise meets both alike. Needs Linux.`,
  options: {
    slices: { type: 'string', value: 'N', default: '100', meaning: 'number of slices' },
    slice: { type: 'string', value: 'MS', default: '500', meaning: 'length of a slice' },
    short: { type: 'boolean', default: false, meaning: 'a run of seconds that decides nothing' },
  },
});
const SLICES = values.short ? 4 : Number(values.slices);
const SLICE_MS = values.short ? 50 : Number(values.slice);
const WARM_UP_MS = values.short ? 100 : 5_000;
const WINDOW_MS = 100;
/** The CPU time of a slice includes the delivery of its last window, which takes this long. */
const DRAIN_MS = WINDOW_MS + 100;
/**
 * Under constant load, 1,000 links are read from KV again every 5 s. The memory also expires
 * between two slices, so fewer links cause as many reads per second of load.
 */
const LINKS = Math.round((1_000 * SLICE_MS) / (SLICE_MS + DRAIN_MS));

const links = linksFor(LINKS);
const requests = requestsFor(links.map(({ code }) => code));

/** What one Worker used for a redirect. `cpu` is in µs and includes the work after the response. */
type Slice = { cpu: number; messages: number };

async function measureSlice(workers: readonly Running[], ms: number): Promise<Slice[]> {
  const used = (): Promise<Slice[]> =>
    Promise.all(
      workers.map(async ({ child, messages }) => ({
        cpu: cpuOf(child.pid ?? 0),
        messages: await messages(),
      })),
    );
  const before = await used();
  const redirects = await load(
    workers.map(({ port }) => port),
    requests,
    ms,
  );
  await sleep(DRAIN_MS);
  const after = await used();
  return after.map(({ cpu, messages }, i) => ({
    cpu: (cpu - (before[i]?.cpu ?? 0)) / redirects,
    messages: (messages - (before[i]?.messages ?? 0)) / redirects,
  }));
}

async function compare(memory: 'on' | 'off', folder: string): Promise<string> {
  const workers: Running[] = [];
  try {
    const targets: Target[] = [
      bareWorker(links, memory, WINDOW_MS),
      await hopWorker(links, memory, WINDOW_MS),
    ];
    for (const target of targets)
      workers.push(await startWorkerd(target, join(folder, memory, String(workers.length))));
    await measureSlice(workers, WARM_UP_MS);
    const slices: Slice[][] = [];
    for (let n = 0; n < SLICES; n++) slices.push(await measureSlice(workers, SLICE_MS));
    const of = (at: number, what: keyof Slice): number[] =>
      slices.map((slice) => slice[at]?.[what] ?? Number.NaN);
    const both = (what: keyof Slice, digits: number): string =>
      [0, 1].map((at) => median(of(at, what)).toFixed(digits)).join(' / ');
    const [bare, ours] = [of(0, 'cpu'), of(1, 'cpu')];
    const ratio = withInterval(bare.map((cpu, i) => cpu / (ours[i] ?? Number.NaN)));
    return `| ${memory} | ${both('cpu', 1)} | **${ratio}** | ${both('messages', 4)} |`;
  } finally {
    for (const { child } of workers) child.kill('SIGKILL');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hop-bench-'));
try {
  const rows = [await compare('off', folder), await compare('on', folder)];
  console.log(`Bare Worker / Hop, ${SLICES} slices of ${SLICE_MS} ms; a ratio above 1 is in Hop's favor.

| memory | CPU µs per redirect | ratio of CPU, 95 % interval | messages per redirect |
|---|---|---|---|
${rows.join('\n')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
