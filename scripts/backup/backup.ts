import { exitOnHelp } from '#scripts/shared/arguments.ts';
import { backUp } from './back-up.ts';
import { runCommand } from './command.ts';

exitOnHelp(
  () => `Copies the database to a file.

Usage: npm run backup -- FILE [--remote] [--env NAME] [--config FILE]

  --list  names the nightly copies in the bucket
  --s3    with --list: those in the bucket that BACKUP_S3_URL names in this shell`,
);

await runCommand(backUp);
