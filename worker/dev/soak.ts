import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { run, type Variables } from './place.ts';

/** `npm run test:soak -- --minutes N`: each property test with new seeds for N minutes (10 where none is given). */
const COPIES = 'worker/redirect/copies.test.ts';
const CLICKS = 'worker/clicks/model.test.ts';
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.');

const holds = async (file: string, env: Variables): Promise<boolean> =>
  (await run('vitest', ['run', '--project', 'worker', file], { env })).code === 0;

let failed = false;
// Its two properties, one after the other, each for the minutes; a failure names its seed above.
if (!(await holds(COPIES, { HOP_SOAK_MINUTES: String(minutes) }))) {
  failed = true;
  console.error(`\nReplay with the seed that the failure names: HOP_SEED=… npx vitest run --project worker ${COPIES}`);
}
// The histories of clicks take a seed each run.
const end = Date.now() + minutes * 60_000;
let histories = 0;
do {
  const seed = randomInt(2 ** 31);
  const env = { CLICK_SEED: String(seed), CLICK_RUNS: '25' };
  console.log(`clicks: seed ${seed}`);
  if (await holds(CLICKS, env)) histories += 25;
  else {
    failed = true;
    console.error(`\nReplay: CLICK_SEED=${seed} CLICK_RUNS=25 npx vitest run --project worker ${CLICKS}`);
  }
} while (Date.now() < end && !failed);
console.log(`clicks: ${histories} histories held`);
process.exitCode = failed ? 1 : 0;
