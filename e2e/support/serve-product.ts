/**
 * Serves the product like `npm start`, with demo data, on port PORT and with an empty state folder
 * STATE_DIR. Arguments go to `wrangler dev`. playwright.config.ts cannot empty the folder because
 * other tools load it.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localVars } from '#scripts/local/dev-vars.ts';
import { prepareDatabase } from '#scripts/local/prepare-database.ts';
import { EMPTY_STATE, STATE } from './state-folder.ts';

for (const folder of [STATE, EMPTY_STATE]) rmSync(folder, { recursive: true, force: true });
mkdirSync(STATE, { recursive: true });
// The developer's own .dev.vars may point to a hosted sign-in service.
const vars = join(STATE, 'vars.env');
writeFileSync(vars, localVars('a-secret-of-the-browser-tests-only'));
await prepareDatabase(STATE);
cpSync(STATE, EMPTY_STATE, { recursive: true });
process.argv.push('--env-file', vars);
await import('#scripts/local/start.ts');
