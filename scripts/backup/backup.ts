/**
 * `npm run backup -- FILE [--remote] [--env NAME]` copies the database to a file; `npm run backup
 * -- --list` names the nightly copies in the bucket.
 */
import { backUp } from './back-up.ts';
import { runCommand } from './command.ts';

await runCommand(backUp);
