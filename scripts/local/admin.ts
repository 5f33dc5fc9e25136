import { readArguments } from '#scripts/shared/arguments.ts';
import { createClaim } from '#scripts/deploy/admin-claim.ts';
import { environment, readSettings } from '#scripts/deploy/environment.ts';
import { CONFIG, run, stateDir } from '#scripts/shared/place.ts';
import { originOf } from './serve.ts';

function readCommand() {
  const usage = 'npm run admin -- claim [options]';
  const { values, positionals } = readArguments({
    usage,
    about: `Prints a one-time link, valid for an hour, that makes the account which opens it an administrator.`,
    options: {
      remote: { type: 'boolean', meaning: 'in the deployed production' },
      env: { type: 'string', value: 'NAME', meaning: 'in the deployed environment NAME' },
    },
  });
  if (positionals.join(' ') !== 'claim') fail(`Usage: ${usage}`);
  if (values.env === undefined && values.remote !== true) return null;
  try {
    return environment(values.env ?? 'production');
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
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
    ? `On a machine that did not deploy, run \`npm run deploy -- pull --env ${deployed.name}\` first.`
    : 'Has `npm start` run once?';
  console.error(`The link could not be stored. ${hint}\n${output}`);
  process.exit(1);
}
const origin = deployed
  ? readSettings(deployed)?.vars['APP_ORIGIN']
  : originOf(stateDir(), process.env);
console.log(
  `Open ${origin ?? ''}${path} within an hour. The account that opens it becomes an administrator.`,
);
