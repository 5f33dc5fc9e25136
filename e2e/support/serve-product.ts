/**
 * Serves the product with demo data, like `npm start`, on port PORT and with an empty state folder
 * STATE_DIR. playwright.config.ts cannot empty the folder because other tools load it.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { LOCAL_SHORT_HOST, makeReady } from '#scripts/local/ready.ts';
import { portFrom } from '#scripts/local/serve.ts';
import { startProduct } from './start-product.ts';
import { FIRST_STATE, STATE } from './state-folder.ts';

for (const folder of [STATE, FIRST_STATE]) rmSync(folder, { recursive: true, force: true });
mkdirSync(STATE, { recursive: true });
const origin = `http://localhost:${portFrom(process.env, 0)}`;
await makeReady(STATE, origin);
cpSync(STATE, FIRST_STATE, { recursive: true });
const { runJobs, stop } = await startProduct(origin, STATE, `SHORT_HOSTS=${LOCAL_SHORT_HOST}`);
process.once('SIGTERM', () => void stop());
await runJobs();
setInterval(() => void runJobs(), 60_000).unref();
