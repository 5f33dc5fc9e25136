/** `npm run destroy -- --env NAME` deletes an environment, with its data, after its name was typed. */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { destroy } from './deploy/destroy.ts';
import { DeployError, environment } from './deploy/environment.ts';
import { openTools } from './deploy/tools.ts';

const USAGE = 'Usage: npm run destroy -- --env NAME [--account ID]';

function readCommand() {
  try {
    const { values } = parseArgs({ options: { env: { type: 'string' }, account: { type: 'string' } } });
    if (values.env !== undefined) return { environment: environment(values.env), account: values.account };
  } catch {
    // Answered like a missing name.
  }
  throw new DeployError(USAGE);
}

async function confirm(name: string): Promise<boolean> {
  process.stdout.write(`Type ${name} to delete it: `);
  // Ends without a line where nobody can answer.
  for await (const line of createInterface({ input: process.stdin })) return line.trim() === name;
  return false;
}

try {
  const { environment: wanted, account } = readCommand();
  await destroy({ environment: wanted, account: account ?? process.env['CLOUDFLARE_ACCOUNT_ID'], confirm }, await openTools());
} catch (error) {
  console.error(error instanceof DeployError ? error.message : error);
  process.exitCode = 1;
}
