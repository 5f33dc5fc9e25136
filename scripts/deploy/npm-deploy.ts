/**
 * `npm run deploy [-- --env NAME --origin URL …]` deploys an environment. Running it again resumes
 * an interrupted deployment or upgrades an existing one. `-- --dry-run` prints the plan, `--
 * rollback` returns to the previous release.
 */
import { reportErrors, runDeploy } from './command.ts';
import { openTools } from './tools.ts';

await reportErrors(runDeploy(process.argv.slice(2), openTools));
