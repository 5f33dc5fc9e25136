/**
 * `npm start`: builds what is stale, migrates, puts demo data into an empty database and serves the product.
 * PORT, STATE_DIR and DEMO=off change it; arguments after `--` go to `wrangler dev`.
 */
import { stateDir } from './place.ts';
import { greet, makeReady, requireFree } from './ready.ts';
import { portFrom, startWrangler, stopWith, tickCron, untilReady } from './serve.ts';

const port = portFrom(process.env, 8787);
const origin = `http://localhost:${port}`;
const state = stateDir();
const args = process.argv.slice(2);

await requireFree([port], 'start');
const hasDemo = await makeReady(state, origin);
const quiet = args.some((arg) => arg.startsWith('--log-level')) ? [] : ['--log-level', 'error'];
const server = startWrangler(port, state, [...quiet, ...args]);
stopWith(server);
if (await untilReady(origin, server)) {
  tickCron(origin);
  greet(origin, hasDemo);
}
