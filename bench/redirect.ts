/**
 * Redirects of Hop against three floors (the least a Worker can do) and two bare Workers built on Hop's two ideas, in one run on the same workerd: `node bench/redirect.ts`.
 * `--rounds N` (3), `--seconds N` (6) of load per target and round. Sends traffic to 127.0.0.1 only.
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
const BASE = 'KV + 302 + one queue message per click';
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '6' } },
});
const seconds = Number(values.seconds);

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
  const floors: [string, string][] = [
    ['static 302', 'static'],
    ['KV + 302', 'kv'],
    [BASE, 'kv-queue'],
    ['KV + window, bare', 'kv-window'],
    ['memory + window, bare', 'memory-window'],
  ];
  const kv = Object.fromEntries(links.map(({ code, target }) => [code, target]));
  const list: Target[] = [];
  for (const [name, file] of floors) list.push({ name, main: await bundleFloor(file, folder), vars: {}, kv });
  const worker = (await bundleWorker()).find(({ name }) => name.startsWith('index.'));
  if (worker === undefined) throw new Error('There is no Worker in the bundle.');
  const main = join(folder, 'hop.js');
  writeFileSync(main, worker.text);
  const copies = Object.fromEntries(
    links.map(({ code, target }, i) => [
      code,
      JSON.stringify(toEdgeRecord({ id: i + 1, target, status: 'active', disabled_reason: null, expires_at: null, version: 1 })),
    ]),
  );
  const today = Math.floor(Date.now() / DAY_MS);
  for (const day of [today, today + 1]) copies[dailyKeyName(day)] = Buffer.alloc(32, 7).toString('base64');
  const vars = { APP_ORIGIN: `http://127.0.0.1:${PORT}`, SHORT_ORIGIN: '', LINKS_EPOCH: '', CLICK_WINDOW_MS: '200' };
  list.push({ name: 'Hop, memory off', main, vars: { ...vars, LINK_MEMORY_MS: '0' }, kv: copies });
  list.push({ name: 'Hop, memory on', main, vars: { ...vars, LINK_MEMORY_MS: '5000' }, kv: copies });
  return list;
}

async function bundleFloor(name: string, folder: string): Promise<string> {
  const entry = join(import.meta.dirname, 'floors', `${name}.js`);
  const outDir = join(folder, `floor-${name}`);
  await build({
    configFile: false,
    logLevel: 'error',
    build: { outDir, minify: false, lib: { entry, formats: ['es'], fileName: () => 'index.js' } },
  });
  return join(outDir, 'index.js');
}

async function measure(target: Target, folder: string, codesFile: string, seed: number): Promise<Run> {
  const child = await startLean(target, folder, PORT, PORT + 1);
  const pid = child.pid ?? 0;
  try {
    await verify(target.name);
    const origin = `http://127.0.0.1:${PORT}`;
    await saturate(origin, codesFile, 2, seed);
    await sleep(500);
    const [cpu, sent] = [cpuOf(pid), await messagesSent()];
    const load = await saturate(origin, codesFile, seconds, seed + 1);
    // The last window closes, and its work counts as this run's.
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
  const response = await fetch(`http://127.0.0.1:${PORT}/${first?.code ?? ''}`, { redirect: 'manual' });
  const location = response.headers.get('location') ?? '';
  if (response.status !== 302 || !location.startsWith('https://example.com/landing'))
    throw new Error(`${name} answers ${response.status} ${location}`);
}

async function messagesSent(): Promise<number> {
  const { count }: { count: number } = await (await fetch(`http://127.0.0.1:${PORT + 1}/`)).json();
  return count;
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const mean = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** Medians over the rounds; ratios are taken within a round, against the mean of the base's runs in it. */
function table(rounds: Run[][]): string {
  const names = [...new Set((rounds[0] ?? []).map(({ name }) => name))];
  const rows = names.map((name) => {
    const runs = rounds.flatMap((round) => {
      const bases = round.filter((run) => run.name === BASE);
      const [rps, cpu] = [mean(bases.map((run) => run.rps)), mean(bases.map((run) => run.cpu))];
      return round.filter((run) => run.name === name).map((run) => Object.assign(run, { x: run.rps / rps, cpuX: run.cpu / cpu }));
    });
    const of = (get: (run: (typeof runs)[number]) => number): number => median(runs.map(get));
    const ms = (us: number): string => (us / 1000).toFixed(2);
    return `| ${name} | ${of((r) => r.rps).toFixed(0)} | ${of((r) => r.x).toFixed(2)} | ${ms(of((r) => r.p50))} | ${ms(of((r) => r.p99))} | ${of((r) => r.cpu).toFixed(0)} | ${of((r) => r.cpuX).toFixed(2)} | ${ms(of((r) => r.slow50))} | ${ms(of((r) => r.slow99))} | ${of((r) => r.messages).toFixed(4)} | ${runs.reduce((sum, r) => sum + r.bad, 0)} |`;
  });
  return [
    '| target | req/s | × base | p50 ms | p99 ms | CPU µs/req | CPU × base | 200/s p50 ms | 200/s p99 ms | messages/req | bad |',
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
    // Forwards and backwards: a machine that slows down meanwhile favours nobody.
    const once = round % 2 === 0 ? list : list.toReversed();
    // The base again after every second target, for the machine drifts within a round, too.
    const base = list.filter(({ name }) => name === BASE);
    const order = once.flatMap((target, i) => (i % 2 === 1 ? [target].concat(base) : [target]));
    const runs: Run[] = [];
    for (const target of order) {
      const run = await measure(target, folder, codesFile, round * 10);
      console.error(`round ${round + 1}: ${run.name}: ${run.rps.toFixed(0)}/s, ${run.cpu.toFixed(0)} µs CPU, ${run.bad} bad`);
      runs.push(run);
    }
    rounds.push(list.flatMap(({ name }) => runs.filter((run) => run.name === name)));
  }
  console.log(table(rounds));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
