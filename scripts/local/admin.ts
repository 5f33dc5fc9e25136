import { readArguments } from '#scripts/shared/arguments.ts';
import { createClaim } from '#scripts/deploy/admin-claim.ts';
import { environment, readSettings } from '#scripts/deploy/environment.ts';
import { isAddress, turnOffFactor } from '#scripts/deploy/turn-off-factor.ts';
import { changeLocalDatabase } from '#scripts/shared/local-database.ts';
import { run, stateDir } from '#scripts/shared/place.ts';
import { originOf } from './serve.ts';

function readCommand() {
  const usage = 'npm run admin -- claim|factor-off EMAIL [options]';
  const { values, positionals } = readArguments({
    usage,
    about: `claim             Prints a one-time link, valid for an hour, that makes the account which opens it an
                  administrator.
factor-off EMAIL  Turns off the authenticator app of the account with this address, and signs it out
                  everywhere. Its owner is not told.`,
    options: {
      remote: { type: 'boolean', meaning: 'in the deployed production' },
      env: { type: 'string', value: 'NAME', meaning: 'in the deployed environment NAME' },
    },
  });
  const [command, email = '', ...others] = positionals;
  const isComplete = command === 'factor-off' ? isAddress(email) : email === '';
  if (!['claim', 'factor-off'].includes(command ?? '') || !isComplete || others.length > 0)
    fail(`Usage: ${usage}`);
  if (values.env === undefined && values.remote !== true) return { email, deployed: null };
  try {
    return { email, deployed: environment(values.env ?? 'production') };
  } catch (error) {
    return fail(reasonOf(error));
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Runs the statements. Returns the rows that they return, as JSON. */
async function store(): Promise<string> {
  if (deployed === null) return JSON.stringify(changeLocalDatabase(stateDir(), statements));
  const command = ['--command', statements.join('; '), '--yes', '--json'];
  const args = ['d1', 'execute', 'DB', '--remote', '--config', deployed.configFile, ...command];
  const { code, output } = await run('wrangler', args, { quiet: true });
  if (code !== 0) throw new Error(output);
  return output;
}

const { email, deployed } = readCommand();
const claim = createClaim(Date.now());
const statements = email === '' ? claim.statements : turnOffFactor(email, Date.now());
const output = await store().catch((error: unknown) => {
  const hint = deployed
    ? `On a machine that did not deploy, run \`npm run deploy -- pull --env ${deployed.name}\` first.`
    : 'Has `npm start` run once?';
  return fail(`The database could not be changed. ${hint}\n${reasonOf(error)}`);
});
if (email !== '') {
  // The audit entry, which is written if the account has an app.
  if (!/"subject": *"user:/.test(output))
    fail(`No account with the address ${email} has an authenticator app.`);
  console.log(
    `The authenticator app of ${email} is turned off, and every device is signed out. Tell the owner.`,
  );
} else {
  const origin = deployed
    ? readSettings(deployed)?.vars['APP_ORIGIN']
    : originOf(stateDir(), process.env);
  console.log(
    `Open ${origin ?? ''}${claim.path} within an hour. The account that opens it becomes an administrator.`,
  );
}
