import { readArguments } from '#scripts/shared/arguments.ts';
import { execFileSync } from 'node:child_process';
import { ROOT, run } from '#scripts/shared/place.ts';

readArguments({
  usage: 'npm test -- quick',
  about: `Linter, types, and the unit tests of what changed since the branch left main, uncommitted changes
included. The web tests run as a whole if a page or the contract changed.`,
  options: {},
});

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/**
 * Returns the commit to compare with: where the branch left main, or the previous commit on main.
 */
function baseCommit(): string {
  const fork = git('merge-base', 'HEAD', 'main');
  return fork === git('rev-parse', 'HEAD') && git('status', '--porcelain') === '' ? 'HEAD~1' : fork;
}

/** Returns the paths of all files that differ from `base`, including new ones. */
const changedSince = (base: string): string[] =>
  [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
    .join('\n')
    .split('\n')
    .filter(Boolean);

/** Returns the folders whose unit tests cover `files`. */
function foldersOf(files: readonly string[]): string[] {
  const worker = files.flatMap((file) => /^worker\/[^/]+\//.exec(file)?.[0] ?? []);
  const isWebChanged = files.some(
    (file) => file.startsWith('web/') || file.startsWith('worker/contract/'),
  );
  return [...new Set(worker), ...(isWebChanged ? ['web/'] : [])];
}

/** Runs a check and reports it. Its output is only printed if it fails. */
async function check(name: string, program: string, args: readonly string[]): Promise<boolean> {
  const began = performance.now();
  const { code, output } = await run(program, args, { quiet: true });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'passed' : 'failed'}  ${name}  ${seconds} s`);
  if (code !== 0) console.error(output);
  return code === 0;
}

/**
 * Returns the command of an npm script. npm passes the path of its own program to the scripts it
 * runs.
 */
const npmRun = (name: string): string[] => [
  process.env['npm_execpath'] ?? '',
  'run',
  '--silent',
  name,
];

const folders = foldersOf(changedSince(baseCommit()));
const unitTests = ['run', '--project', 'worker', '--project', 'web', '--passWithNoTests'];
const results = await Promise.all([
  check('lint', process.execPath, npmRun('lint')),
  check('types', process.execPath, npmRun('types')),
  folders.length === 0 ||
    check(`unit tests (${folders.join(' ')})`, 'vitest', [
      ...unitTests,
      '--silent=passed-only',
      ...folders,
    ]),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;
