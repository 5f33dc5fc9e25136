import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '#scripts/shared/arguments.ts';
import { createLoad, requestsFor } from './redirect/load.ts';
import { withInterval } from './redirect/median.ts';
import { bareWorker, hopWorker, linksFor } from './redirect/targets.ts';
import { cpuOf, startWorkerd, type Target } from './redirect/workerd.ts';

const { values } = readArguments({
  usage: 'npm run bench -- cold-start [options]',
  about: 'Measures the first redirect of a new process beside that of a bare Worker, in turns.',
  options: {
    rounds: { type: 'string', value: 'N', default: '30', meaning: 'processes of each Worker' },
    short: { type: 'boolean', default: false, meaning: 'two processes of each' },
  },
});
const ROUNDS = values.short ? 2 : Number(values.rounds);
const WINDOW_MS = 1_000;
const links = linksFor(100);
const requests = requestsFor(links.map(({ code }) => code));

/** From the start of the process to the end of its first redirect, in ms. */
type ColdStart = { time: number; cpu: number };

async function measure(target: Target, folder: string): Promise<ColdStart> {
  const { port, child, startedAt } = await startWorkerd(target, folder);
  try {
    const load = await createLoad([port], 1);
    await load.send(requests, 0);
    load.close();
    return { time: performance.now() - startedAt, cpu: cpuOf(child.pid ?? 0) / 1_000 };
  } finally {
    child.kill('SIGKILL');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hop-bench-'));
try {
  const bare = bareWorker(links, 'off', WINDOW_MS);
  const hop = await hopWorker(links, 'off', WINDOW_MS);
  const beyond: ColdStart[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = round % 2 === 0 ? [bare, hop] : [hop, bare];
    const starts = [
      await measure(first, join(folder, `${round}-0`)),
      await measure(second, join(folder, `${round}-1`)),
    ];
    const [ofBare, ofHop] = round % 2 === 0 ? starts : starts.toReversed();
    if (ofBare === undefined || ofHop === undefined) continue;
    beyond.push({ time: ofHop.time - ofBare.time, cpu: ofHop.cpu - ofBare.cpu });
  }
  const of = (get: (start: ColdStart) => number): string => withInterval(beyond.map(get), 1);
  console.log(`First redirect of a new process beyond that of the bare Worker, ${ROUNDS} pairs, median and 95 % interval:
${of(({ time }) => time)} ms, of which CPU ${of(({ cpu }) => cpu)} ms.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
