/**
 * `npm run restore -- FILE` restores a backup; `--nightly [DATE]` instead of a file takes a copy
 * from the bucket, `--platform` only brings ids, codes and KV in line with a database that the
 * platform has restored. docs/operations.md explains the rest.
 */
import { runCommand } from './command.ts';
import { restoreDatabase } from './restore-database.ts';

await runCommand(restoreDatabase);
