import { exitOnHelp } from '#scripts/shared/arguments.ts';
import { runCommand } from './command.ts';
import { restoreDatabase } from './restore-database.ts';

exitOnHelp(
  () => `Restores a backup. docs/operations.md explains the steps around it.

Usage: npm run restore -- FILE [--remote] [--env NAME] [--config FILE]

  --nightly [DATE]  takes a copy from the bucket instead of a file
  --s3 [DATE]       takes it from the bucket that BACKUP_S3_URL names in this shell
  --platform        only brings ids, codes and KV in line with a database that the platform restored`,
);

await runCommand(restoreDatabase);
