/**
 * wrangler.toml's custom build: what `wrangler dev` and `wrangler deploy` need before they can serve the product.
 * Does nothing, quickly, when nothing has changed.
 */
import { ensureWebBuilt } from './build-web.ts';
import { ensureDevVars } from './dev-vars.ts';
import { ensureMigrated } from './migrate.ts';
import { stateDir } from './place.ts';

const command = process.env['WRANGLER_COMMAND'] ?? 'dev';
if (await ensureWebBuilt()) console.log('Built the pages.');
if (command === 'dev') {
  ensureDevVars();
  if (await ensureMigrated(stateDir())) console.log('Brought the local database up to date.');
}
