import { exitOnHelp } from '#scripts/shared/arguments.ts';
import { stateDir } from '#scripts/shared/place.ts';
import { greet, LOCAL_SHORT_HOST, makeReady, requireFree } from './ready.ts';
import { portFrom, startWrangler, stopWith, tickCron, untilReady } from './serve.ts';

exitOnHelp(
  () => `Builds what is stale, migrates the local database, writes demo data into an empty one and serves the
product. PORT and STATE_DIR choose where, DEMO=off leaves the demo data out.
Arguments after \`--\` are passed to wrangler dev.

Usage: npm start -- [arguments]`,
);

const port = portFrom(process.env, 8787);
const origin = `http://localhost:${port}`;
const state = stateDir();
const args = process.argv.slice(2);

await requireFree([port], 'start');
const hasDemo = await makeReady(state, origin);
const quiet = args.some((arg) => arg.startsWith('--log-level')) ? [] : ['--log-level', 'error'];
// Emails of scheduled jobs, which have no request, link to this address. Browsers resolve
// *.localhost to this machine, so a second host for short links can be tried at once.
const server = startWrangler(port, state, [
  '--var',
  `APP_ORIGIN:${origin}`,
  '--var',
  `SHORT_HOSTS:${LOCAL_SHORT_HOST}`,
  ...quiet,
  ...args,
]);
stopWith(server);
if (await untilReady(origin, server)) {
  tickCron(origin);
  greet(origin, hasDemo, LOCAL_SHORT_HOST);
}
