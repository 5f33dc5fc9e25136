import { exitOnHelp } from '#scripts/shared/arguments.ts';
import { createInterface } from 'node:readline/promises';
import { reportErrors, runDestroy } from './command.ts';
import { openTools } from './tools.ts';

exitOnHelp(
  () => `Deletes an environment with its data, after its name was typed.

Usage: npm run destroy -- --env NAME [--account ID]`,
);

async function confirm(name: string): Promise<boolean> {
  process.stdout.write(`Type ${name} to delete it: `);
  // The loop ends without a line if nobody can answer.
  for await (const line of createInterface({ input: process.stdin })) return line.trim() === name;
  return false;
}

await reportErrors(runDestroy(process.argv.slice(2), confirm, openTools));
