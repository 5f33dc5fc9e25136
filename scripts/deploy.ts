/**
 * `npm run deploy [-- --env NAME --origin URL …]` deploys an environment, from a login to a running
 * product. Running it again resumes what was interrupted and upgrades what exists. `-- --dry-run`
 * prints the plan, `-- rollback` returns to the release before.
 */
import { reportErrors, runDeploy } from './deploy/command.ts';
import { openTools } from './deploy/tools.ts';

await reportErrors(runDeploy(process.argv.slice(2), openTools));
