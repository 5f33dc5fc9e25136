import { exitOnHelp } from '#scripts/shared/arguments.ts';
import { confirmName, reportErrors, runDestroy } from './command.ts';
import { openTools } from './tools.ts';

exitOnHelp(
  () => `Deletes an environment with its data, after its name was typed.

Usage: npm run destroy -- --env NAME [--account ID]`,
);

await reportErrors(runDestroy(process.argv.slice(2), confirmName, openTools));
