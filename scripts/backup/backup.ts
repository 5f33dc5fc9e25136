import { exitOnHelp } from '#scripts/shared/arguments.ts';
import { backUp } from './back-up.ts';
import { runCommand } from './command.ts';

exitOnHelp(
  () => `Copies the database to a file.

Usage: npm run backup -- FILE [--remote] [--env NAME] [--config FILE]
       npm run backup -- --list    names the nightly copies in the bucket`,
);

await runCommand(backUp);
