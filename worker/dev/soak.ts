import { parseArgs } from 'node:util';
import { run } from './place.ts';

/** `npm run test:soak -- --minutes N`: the property tests with new seeds for N minutes each (10 where none is given). */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.');

const end = Date.now() + minutes * 60_000;
const copies = await run('vitest', ['run', '--project', 'worker', 'worker/redirect/copies.test.ts'], {
  env: { HOP_SOAK_MINUTES: String(minutes) },
});
let failed = copies.code !== 0;
// The histories of clicks take a seed each, so that a failing one is named by it.
while (Date.now() < end + minutes * 60_000 && !failed) {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const clicks = await run('vitest', ['run', '--project', 'worker', 'worker/clicks/model.test.ts'], {
    env: { CLICK_SEED: String(seed), CLICK_RUNS: '25' },
  });
  failed = clicks.code !== 0;
}
process.exitCode = failed ? 1 : 0;
