import { readArguments } from '#scripts/shared/arguments.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localVars } from '#scripts/local/dev-vars.ts';
import { prepareDatabase } from '#scripts/local/prepare-database.ts';
import { BIN, QUIET, ROOT, run } from '#scripts/shared/place.ts';
import { freePort } from '#scripts/local/product.ts';
import { migrationNames } from '#scripts/checks/schema-files.ts';
import { untilReady } from '#scripts/local/serve.ts';
import { smoke } from '#scripts/deploy/smoke.ts';
import { findOpened, writeClosedLinks } from './closed-links.ts';
import { findCrossed, writeDomainLinks } from './domain-links.ts';
import { checkMessages, findMisdivided, writeDividedLinks } from './divided-links.ts';

const { positionals } = readArguments({
  usage: 'npm test -- previous [COMMIT]',
  about: `Runs the release of a commit on a database with the schema of this one, and the smoke test against
it: that is what answers between the migrations and the upload of a deployment, and after a rollback.
It must not redirect links that this release has stored with conditions that it does not know, and
redirects those with variants to their own destination, counts their clicks and shows its report.
It serves no link on a domain, on no host.
Without a commit it takes the one before the newest migration. Fails if a landed migration was edited.`,
  options: {},
});

async function git(...args: string[]): Promise<string> {
  const { code, output } = await run('/usr/bin/env', ['git', ...args], { quiet: true });
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${output}`);
  return output.trim();
}

/** Returns the commit on the main branch before the newest migration. */
async function findPrevious(): Promise<string> {
  const newest = `migrations/${migrationNames().at(-1)}`;
  return `${await git('log', '--first-parent', '-m', '--diff-filter=A', '--format=%H', '-1', '--', newest)}^`;
}

/** Writes the files of `commit` to `folder` and links the packages of this release. */
async function checkOut(commit: string, folder: string): Promise<void> {
  const archive = join(folder, '..', 'release.tar');
  await git('archive', '--output', archive, commit);
  await run('/usr/bin/env', ['tar', 'xf', archive, '-C', folder]);
  // Packages are linked one by one, so that the build of that release leaves no stamp in this
  // release's cache.
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((one) => one !== '.cache'))
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
}

/** Lists the migrations of `commit` that this release has changed or removed. */
const changedMigrations = (commit: string): Promise<string> =>
  git('diff', '--diff-filter=a', '--name-only', commit, '--', 'migrations/*.sql');

const commit = await git('rev-parse', '--short', positionals[0] ?? (await findPrevious()));
const first = `migrations/${migrationNames()[0]}`;
if ((await git('ls-tree', '--name-only', commit, first)) === '') {
  console.log(`There is no previous release yet: ${commit} does not have ${first}.`);
  process.exit();
}
const changed = await changedMigrations(commit);
if (changed !== '') throw new Error(`These migrations have landed and must not change: ${changed}`);
const place = mkdtempSync(join(tmpdir(), 'hop-previous-'));
const [folder, state, vars] = [
  join(place, 'release'),
  join(place, 'state'),
  join(place, 'vars.env'),
];
try {
  mkdirSync(folder);
  writeFileSync(vars, localVars('a-secret-for-a-release-of-an-hour'));
  await checkOut(commit, folder);
  await prepareDatabase(state);
  await writeClosedLinks(state);
  await writeDividedLinks(state);
  await writeDomainLinks(state);
  const port = await freePort();
  const args = [
    'dev',
    '--port',
    String(port),
    '--persist-to',
    state,
    '--env-file',
    vars,
    '--log-level',
    'error',
  ];
  const server = spawn(join(BIN, 'wrangler'), [...args, '--show-interactive-dev-session=false'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    env: { ...process.env, ...QUIET, STATE_DIR: state },
  });
  const ended = once(server, 'exit');
  try {
    const origin = `http://localhost:${port}`;
    if (!(await untilReady(origin, server)))
      throw new Error(`The release ${commit} did not start.`);
    console.log(`The release ${commit} on the schema ${migrationNames().at(-1)}:`);
    const opened = await findOpened(origin, {
      knowsRules: existsSync(join(folder, 'worker/redirect/gate.ts')),
    });
    for (const line of opened) console.error(`A link with conditions is open: ${line}`);
    if (opened.length === 0)
      console.log('It redirects no link with conditions that it does not know.');
    const wrong = await findMisdivided(origin, state, {
      knowsVariants: existsSync(join(folder, 'worker/redirect/shares.ts')),
    });
    await checkMessages(folder);
    for (const line of wrong) console.error(`Variants: ${line}`);
    if (wrong.length === 0) console.log('It follows and counts links with variants.');
    const crossed = await findCrossed(origin);
    for (const line of crossed) console.error(`Domains: ${line}`);
    if (crossed.length === 0) console.log('It serves no link on a domain.');
    const isRight = [opened, wrong, crossed].every(({ length }) => length === 0);
    process.exitCode = (await smoke(origin)) && isRight ? 0 : 1;
  } finally {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGKILL');
    await ended;
  }
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}
