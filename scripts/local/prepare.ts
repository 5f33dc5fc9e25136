import { readArguments } from '#scripts/shared/arguments.ts';
import { ensureWebBuilt } from '#scripts/build/build-web.ts';
import { ensureDevVars } from './dev-vars.ts';
import { prepareDatabase } from './prepare-database.ts';
import { stateDir } from '#scripts/shared/place.ts';

readArguments({
  usage: 'npm run prepare:dev',
  about: `The custom build in wrangler.toml: prepares what wrangler dev and wrangler deploy need.`,
  options: {},
});

const command = process.env['WRANGLER_COMMAND'] ?? 'dev';
if (await ensureWebBuilt()) console.log('Built the pages.');
if (command === 'dev') {
  ensureDevVars();
  await prepareDatabase(stateDir());
}
