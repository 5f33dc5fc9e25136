import { exitOnHelp } from '#scripts/shared/arguments.ts';
import { join } from 'node:path';
import { ROOT, stateDir } from '#scripts/shared/place.ts';
import { greet, makeReady, requireFree } from './ready.ts';
import { portFrom, startWrangler, stopWith, tickCron, untilReady } from './serve.ts';

exitOnHelp(
  () => `Like npm start, but vite serves the pages (hot reload) and passes other requests to wrangler dev,
which listens on the next port. Arguments after \`--\` are passed to it.

Usage: npm run dev -- [arguments]`,
);

const port = portFrom(process.env, 8787);
const origin = `http://localhost:${port}`;
const workerOrigin = `http://localhost:${port + 1}`;
const state = stateDir();

await requireFree([port, port + 1], 'run dev');
const hasDemo = await makeReady(state, origin);
const server = startWrangler(port + 1, state, [
  '--var',
  `APP_ORIGIN:${origin}`,
  ...process.argv.slice(2),
]);
stopWith(server);
if (await untilReady(workerOrigin, server)) {
  tickCron(workerOrigin);
  process.env['HOP_WORKER_ORIGIN'] = workerOrigin;
  const { createServer } = await import('vite');
  const pages = await createServer({
    configFile: join(ROOT, 'web', 'vite.config.ts'),
    server: { host: 'localhost', port, strictPort: true },
  });
  await pages.listen();
  greet(origin, hasDemo);
}
