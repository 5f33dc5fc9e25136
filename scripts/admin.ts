/**
 * `npm run admin -- claim [--remote] [--env NAME]` prints a one-time link, valid for an hour, that
 * makes the account which opens it an administrator: in the local database, or in that of a
 * deployed environment.
 */
import { parseArgs } from 'node:util';
import { createClaim } from './admin-claim.ts';
import { environment, readSettings } from './deploy/environment.ts';
import { CONFIG, run, stateDir } from './place.ts';
import { portFrom } from './serve.ts';

const USAGE = 'Usage: npm run admin -- claim [--remote] [--env NAME]';

function readCommand() {
  try {
    const options = { remote: { type: 'boolean' }, env: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.join(' ') !== 'claim') throw new Error(USAGE);
    // `--env` names a deployed environment, so it means `--remote`.
    if (values.env === undefined && values.remote !== true) return null;
    return environment(values.env ?? 'production');
  } catch (error) {
    console.error(
      error instanceof Error && error.message !== USAGE ? `${error.message}\n${USAGE}` : USAGE,
    );
    process.exit(1);
  }
}

/** Attempts to write to a local database that the running server has locked. */
const ATTEMPTS_MAX = 5;

async function store(attempt = 1): ReturnType<typeof run> {
  const args = ['d1', 'execute', 'DB', ...place, '--command', statements.join('; '), '--yes'];
  const result = await run('wrangler', args, { quiet: true });
  const isLocked = result.code !== 0 && result.output.includes('SQLITE_BUSY');
  return isLocked && attempt < ATTEMPTS_MAX ? store(attempt + 1) : result;
}

const deployed = readCommand();
const { statements, path } = createClaim(Date.now());
const place = deployed
  ? ['--remote', '--config', deployed.configFile]
  : ['--local', '--persist-to', stateDir(), '--config', CONFIG];
const { code, output } = await store();
if (code !== 0) {
  const hint = deployed
    ? `Has \`npm run deploy -- --env ${deployed.name}\` run on this machine?`
    : 'Has `npm start` run once?';
  console.error(`The link could not be stored. ${hint}\n${output}`);
  process.exit(1);
}
const origin = deployed
  ? readSettings(deployed)?.vars['APP_ORIGIN']
  : `http://localhost:${portFrom(process.env, 8787)}`;
console.log(
  `Open ${origin ?? ''}${path} within an hour. The account that opens it becomes an administrator.`,
);
