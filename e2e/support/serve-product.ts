/**
 * Serves the product with demo data, like `npm start`, on port PORT and with an empty state folder
 * STATE_DIR. playwright.config.ts cannot empty the folder because other tools load it.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '#scripts/local/product.ts';
import { LOCAL_SHORT_HOST, makeReady } from '#scripts/local/ready.ts';
import { portFrom } from '#scripts/local/serve.ts';
import { startProduct } from './start-product.ts';
import { DATABASE_PORT, FIRST_STATE, STATE } from './state-folder.ts';

for (const folder of [STATE, FIRST_STATE]) rmSync(folder, { recursive: true, force: true });
mkdirSync(STATE, { recursive: true });
const origin = `http://localhost:${portFrom(process.env, 0)}`;
await makeReady(STATE, origin);
cpSync(STATE, FIRST_STATE, { recursive: true });
const product = await startProduct(origin, STATE, `SHORT_HOSTS=${LOCAL_SHORT_HOST}`);
const { runJobs, stop } = product;
/** Takes a statement and its parameters as JSON. */
async function execute(request: IncomingMessage): Promise<void> {
  const [sql, ...params]: [string, ...unknown[]] = JSON.parse(await text(request));
  await product.execute(sql, ...params);
}
const port = await freePort();
createServer((request, response) => {
  execute(request).then(
    () => response.end(),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(port, 'localhost');
writeFileSync(DATABASE_PORT, String(port));
process.once('SIGTERM', () => void stop());
await runJobs();
setInterval(() => void runJobs(), 60_000).unref();
