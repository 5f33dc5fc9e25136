/**
 * Measures Hop's redirects beside floors, which are Workers that do the least possible, on the same
 * workerd in the same run: `node bench/redirect.ts`. `--rounds N` (default 4), `--seconds N` of
 * load per target and round (default 6). Sends traffic to 127.0.0.1 only.
 */
import { DAY_MS } from '#contract/time.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { bundleWorker } from '#scripts/bundle.ts';
import { toEdgeRecord } from '#worker/redirect/edge-record.ts';
import { dailyKeyName } from '#worker/redirect/daily-key.ts';
import { startLean, type Target } from './lean.ts';
import { atRate, cpuOf, saturate } from './measure.ts';

const PORT = 9180;
const KV_FLOOR = 'floor-kv-window';
const MEMORY_FLOOR = 'floor-mem-window';
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '4' }, seconds: { type: 'string', default: '6' } },
});
const seconds = Number(values.seconds);

/**
 * Latencies in µs, `cpu` in µs per request. `slow50` and `slow99`: latencies at 200 requests per
 * second.
 */
type Run = {
  name: string;
  rps: number;
  p50: number;
  p99: number;
  cpu: number;
  bad: number;
  messages: number;
  slow50: number;
  slow99: number;
};

/** 1,000 codes and targets, the same in every run. */
const links = Array.from({ length: 1_000 }, (_, i) => ({
  code: `b${((i * 2_654_435_761) % 78_364_164_096).toString(36).padStart(6, '0').slice(-6)}`,
  target: `https://example.com/landing/${i}?utm_source=bench`,
}));

async function targets(folder: string): Promise<Target[]> {
  const floors = ['static', 'kv', 'kv-queue', 'kv-window', 'mem-window'];
  const kv = Object.fromEntries(links.map(({ code, target }) => [code, target]));
  const list: Target[] = [];
  for (const name of floors)
    list.push({ name: `floor-${name}`, main: await bundleFloor(name, folder), vars: {}, kv });
  const worker = (await bundleWorker()).find(({ name }) => name.startsWith('index.'));
  if (worker === undefined) throw new Error('The bundle contains no Worker.');
  const main = join(folder, 'hop.js');
  writeFileSync(main, worker.text);
  const records = Object.fromEntries(
    links.map(({ code, target }, i) => [
      code,
      JSON.stringify(
        toEdgeRecord({
          id: i + 1,
          target,
          status: 'active',
          disabled_reason: null,
          expires_at: null,
          version: 1,
          forward_params: '',
        }),
      ),
    ]),
  );
  const today = Math.floor(Date.now() / DAY_MS);
  for (const day of [today, today + 1])
    records[dailyKeyName(day)] = Buffer.alloc(32, 7).toString('base64');
  const vars = {
    APP_ORIGIN: `http://127.0.0.1:${PORT}`,
    SHORT_ORIGIN: '',
    EXTRA_HOSTS: '',
    LINKS_EPOCH: '',
    CLICK_WINDOW_MS: '200',
  };
  list.push({ name: 'hop-kv', main, vars: { ...vars, LINK_MEMORY_MS: '0' }, kv: records });
  list.push({ name: 'hop-mem', main, vars: { ...vars, LINK_MEMORY_MS: '5000' }, kv: records });
  return list;
}

async function bundleFloor(name: string, folder: string): Promise<string> {
  const entry = join(import.meta.dirname, 'floors', `${name}.js`);
  // Not the folder of the target itself, which is emptied before it starts.
  const outDir = join(folder, `bundle-${name}`);
  await build({
    configFile: false,
    logLevel: 'error',
    build: { outDir, minify: false, lib: { entry, formats: ['es'], fileName: () => 'index.js' } },
  });
  return join(outDir, 'index.js');
}

async function measure(
  target: Target,
  folder: string,
  codesFile: string,
  seed: number,
): Promise<Run> {
  const child = await startLean(target, folder, PORT, PORT + 1);
  const pid = child.pid ?? 0;
  try {
    await verify(target.name);
    const origin = `http://127.0.0.1:${PORT}`;
    await saturate(origin, codesFile, 2, seed);
    await sleep(500);
    const [cpu, sent] = [cpuOf(pid), await messagesSent()];
    const load = await saturate(origin, codesFile, seconds, seed + 1);
    // The last window is delivered, and its work counts.
    await sleep(600);
    const used = cpuOf(pid) - cpu;
    const messages = (await messagesSent()) - sent;
    const slow = await atRate(
      PORT,
      links.map(({ code }) => code),
      200,
      5,
    );
    return {
      name: target.name,
      rps: load.requests / (load.us / 1e6),
      p50: load.p50,
      p99: load.p99,
      bad: load.bad,
      cpu: used / load.requests,
      messages: messages / load.requests,
      slow50: slow.p50,
      slow99: slow.p99,
    };
  } finally {
    child.kill('SIGKILL');
    await sleep(200);
  }
}

async function verify(name: string): Promise<void> {
  const [first] = links;
  const response = await fetch(`http://127.0.0.1:${PORT}/${first?.code ?? ''}`, {
    redirect: 'manual',
  });
  const location = response.headers.get('location') ?? '';
  if (response.status !== 302 || !location.startsWith('https://example.com/landing'))
    throw new Error(`${name} responded with ${response.status} ${location}`);
}

async function messagesSent(): Promise<number> {
  const { count }: { count: number } = await (await fetch(`http://127.0.0.1:${PORT + 1}/`)).json();
  return count;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The floor that a target is compared with. */
const floorOf = (name: string): string =>
  name === 'hop-mem' || name === MEMORY_FLOOR ? MEMORY_FLOOR : KV_FLOOR;

/** Medians over the rounds, with the range of the throughput. Ratios are those of the medians. */
function table(rounds: readonly Run[][]): string {
  const runsOf = (name: string): Run[] => rounds.flat().filter((run) => run.name === name);
  const medianOf = (name: string, get: (run: Run) => number): number =>
    median(runsOf(name).map(get));
  const ms = (us: number): string => (us / 1000).toFixed(2);
  const rows = [...new Set(rounds.flat().map(({ name }) => name))].map((name) => {
    const of = (get: (run: Run) => number): number => medianOf(name, get);
    const all = runsOf(name).map(({ rps }) => Math.round(rps));
    const ratio = of((run) => run.rps) / medianOf(floorOf(name), (run) => run.rps);
    const bad = runsOf(name).reduce((sum, run) => sum + run.bad, 0);
    return `| ${name} | ${of((r) => r.rps).toFixed(0)} | ${Math.min(...all)}–${Math.max(...all)} | ${ratio.toFixed(2)} | ${ms(of((r) => r.p50))} | ${ms(of((r) => r.p99))} | ${of((r) => r.cpu).toFixed(0)} | ${ms(of((r) => r.slow50))} | ${ms(of((r) => r.slow99))} | ${of((r) => r.messages).toFixed(4)} | ${bad} |`;
  });
  return [
    '| target | req/s | range | × floor | p50 ms | p99 ms | CPU µs/req | 200/s p50 ms | 200/s p99 ms | messages/req | bad |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const folder = mkdtempSync(join(tmpdir(), 'hop-bench-'));
try {
  mkdirSync(folder, { recursive: true });
  const codesFile = join(folder, 'codes.txt');
  writeFileSync(codesFile, `${links.map(({ code }) => code).join('\n')}\n`);
  const list = await targets(folder);
  const rounds: Run[][] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    // Forwards and backwards, because a machine's speed drifts within a run.
    const order = round % 2 === 0 ? list : list.toReversed();
    const runs: Run[] = [];
    for (const target of order) {
      const run = await measure(target, folder, codesFile, round * 10);
      console.error(
        `round ${round + 1}: ${run.name}: ${run.rps.toFixed(0)}/s, ${run.cpu.toFixed(0)} µs CPU, ${run.bad} bad`,
      );
      runs.push(run);
    }
    rounds.push(list.flatMap(({ name }) => runs.filter((run) => run.name === name)));
  }
  console.log(table(rounds));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
