import { readArguments } from '#scripts/shared/arguments.ts';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { seededRandom } from '#scripts/demo/random.ts';
import { mutantsOf, type Mutant } from './mutate.ts';
import { ROOT, run } from '#scripts/shared/place.ts';

const { values, positionals } = readArguments({
  usage: 'npm test -- mutants PATH… [options]',
  about: `Puts one small fault at a time into a copy of the Worker below each PATH and runs the tests nearest
to it, then, if none notices, all Worker tests. Prints the faults that nobody noticed. A sample of
200 takes about an hour.`,
  options: {
    sample: { type: 'string', value: 'N', default: '200', meaning: 'faults' },
    seed: { type: 'string', value: 'N', default: '1', meaning: 'of the sample' },
    nearest: { type: 'boolean', default: false, meaning: 'leaves out the run of all tests' },
    jobs: {
      type: 'string',
      value: 'N',
      default: String(Math.min(2, availableParallelism())),
      meaning: 'at the same time',
    },
  },
});
/**
 * A mutant may make a test hang. The tests of one folder take about ten seconds, all tests take
 * minutes.
 */
const FOLDER_LIMIT_MS = 120_000;
const ALL_LIMIT_MS = 900_000;
const NOT_COPIED = new Set([
  '.git',
  '.wrangler',
  '.state',
  'node_modules',
  'screenshots',
  'test-results',
]);

type Fault = Mutant & { file: string };

const sources = positionals
  .flatMap((path) =>
    statSync(join(ROOT, path)).isFile() ? [path] : globSync(`${path}/**/*.ts`, { cwd: ROOT }),
  )
  .filter((file) => !/\.test\.ts$|\.d\.ts$/.test(file));
if (sources.length === 0)
  throw new Error('Name at least one folder or file: npm test -- mutants worker/links');

const all: Fault[] = sources.flatMap((file) =>
  mutantsOf(readFileSync(join(ROOT, file), 'utf8')).map(({ start, end, text }) => ({
    file,
    start,
    end,
    text,
  })),
);
const faults = sampleOf(all, Number(values.sample), seededRandom(Number(values.seed)));
console.log(
  `${faults.length} of ${all.length} faults in ${sources.length} files, seed ${values.seed}`,
);

function sampleOf<T>(items: readonly T[], count: number, random: () => number): T[] {
  const rest = [...items];
  return Array.from({ length: Math.min(count, rest.length) }, () =>
    rest.splice(Math.floor(random() * rest.length), 1),
  ).flat();
}

const survivors: string[] = [];
let tried = 0;

await Promise.all(Array.from({ length: Number(values.jobs) }, tryFaults));
const noticed = faults.length - survivors.length;
console.log(
  `\n${survivors.toSorted().join('\n')}\n\n${noticed} of ${faults.length} noticed (${Math.round((1000 * noticed) / faults.length) / 10} %)`,
);

/** Tests mutants from the list until it is empty, in a copy of the repository. */
async function tryFaults(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'hop-mutants-'));
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (let fault = faults[tried++]; fault !== undefined; fault = faults[tried++]) {
    const file = join(copy, fault.file);
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, source.slice(0, fault.start) + fault.text + source.slice(fault.end));
    const isNoticed = await isNoticedIn(copy, fault.file);
    writeFileSync(file, source);
    const line = source.slice(0, fault.start).split('\n').length;
    const what = `${fault.file}:${line} ${source.slice(fault.start, fault.end).slice(0, 60)} → ${fault.text}`;
    console.log(`${isNoticed ? 'noticed ' : 'SURVIVED'} ${what}`);
    if (!isNoticed) survivors.push(what);
  }
  rmSync(copy, { recursive: true, force: true });
}

/**
 * Runs the tests that are most likely to fail first: those named like the file, then those of its
 * folder, then all.
 */
async function isNoticedIn(copy: string, file: string): Promise<boolean> {
  const own = file.replace(/\.ts$/, '.test.ts');
  if (existsSync(join(copy, own)) && !(await passes(copy, [own]))) return true;
  if (!(await passes(copy, [dirname(file)]))) return true;
  return !values.nearest && !(await passes(copy, []));
}

/**
 * Runs the Worker tests below `paths` in `cwd` (all tests if empty) and returns whether they pass.
 */
async function passes(cwd: string, paths: string[]): Promise<boolean> {
  const args = ['run', '--project', 'worker', '--bail', '1', '--passWithNoTests', ...paths];
  const { code } = await run('vitest', args, {
    cwd,
    quiet: true,
    timeout: paths.length > 0 ? FOLDER_LIMIT_MS : ALL_LIMIT_MS,
  });
  return code === 0;
}
