import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CLI_PACKAGE } from '#contract/pages/paths.ts';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT, run, WEB_DIST } from '#scripts/shared/place.ts';
import { hashOf, onceFor } from '#scripts/shared/stamp.ts';
import { pack } from './pack.ts';
import { buildForProduction } from './production.ts';

const FOLDER = join(ROOT, 'cli', 'dist');
export const CLI = join(FOLDER, 'hop.js');
/** What `npm install` takes from the server. */
const PACKAGE_FILE = join(WEB_DIST, CLI_PACKAGE);
export const CLI_INPUTS = [
  'cli',
  'scripts/build',
  'web/features/import',
  'web/shared',
  'worker/contract',
  'package.json',
  'package-lock.json',
];
const STAMP = join(ROOT, 'node_modules', '.cache', 'hop', 'cli');
/** The types of packages that are bundled into the client. */
const BUNDLED_TYPES = ['openapi-fetch', 'openapi-typescript-helpers'];

/**
 * Builds the command line and the client into a package without dependencies, and puts it among the
 * pages, unless it is up to date. Node runs no TypeScript inside packages.
 */
export async function ensureCliBuilt(): Promise<void> {
  const isThere = () => existsSync(CLI) && existsSync(PACKAGE_FILE);
  await onceFor(STAMP, hashOf(CLI_INPUTS, ['dist', 'node_modules']), build, isThere);
}

async function build(): Promise<void> {
  await buildForProduction({
    configFile: false,
    root: join(ROOT, 'cli'),
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: 'dist',
      emptyOutDir: true,
      target: 'node20',
      minify: true,
      license: { fileName: 'THIRD-PARTY.md' },
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        input: { hop: join(ROOT, 'cli', 'hop.ts'), client: join(ROOT, 'cli', 'client.ts') },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  chmodSync(CLI, 0o755);
  await writeTypes();
  writeFileSync(join(FOLDER, 'package.json'), packageJson());
  writeFileSync(join(FOLDER, 'LICENSE'), readText('LICENSE'));
  writeFileSync(join(FOLDER, 'README.md'), readText('cli/README.md'));
  const files = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name))]);
  mkdirSync(dirname(PACKAGE_FILE), { recursive: true });
  writeFileSync(PACKAGE_FILE, pack(Object.fromEntries(files), new Set(['hop.js'])));
}

/** Writes the types of the client, with those of the packages that it bundles. */
async function writeTypes(): Promise<void> {
  const options = ['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--strict'];
  const { code, output } = await run(
    'tsc',
    [
      'cli/client.ts',
      '--outDir',
      FOLDER,
      ...options,
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
    ],
    { quiet: true },
  );
  if (code !== 0) throw new Error(`The types of the client could not be written:\n${output}`);
  const types = {
    'client.d.ts': readFileSync(join(FOLDER, 'client.d.ts'), 'utf8'),
    'api.d.ts': readText('cli/api.d.ts'),
    ...Object.fromEntries(
      BUNDLED_TYPES.map((name) => [
        `${name}.d.ts`,
        readText(`node_modules/${name}/dist/index.d.ts`),
      ]),
    ),
  };
  for (const [file, text] of Object.entries(types)) {
    const local = BUNDLED_TYPES.reduce(
      (result, name) => result.replaceAll(`'${name}'`, `'./${name}.js'`),
      text,
    );
    writeFileSync(join(FOLDER, file), local);
  }
}

/**
 * `npm update -g` asks the registry for every global package by its name, wherever it came from,
 * and `hop` is the name of somebody else's package there. Nobody can publish a name with a capital
 * letter (https://docs.npmjs.com/cli/v11/configuring-npm/package-json#name).
 */
const PACKAGE_NAME = 'Hop';

function packageJson(): string {
  const { version, license, engines }: Record<string, unknown> = JSON.parse(
    readText('package.json'),
  );
  const content = {
    name: PACKAGE_NAME,
    version,
    description: 'The command line and the typed client of a Hop link shortener.',
    license,
    type: 'module',
    bin: { hop: 'hop.js' },
    exports: { '.': { types: './client.d.ts', default: './client.js' } },
    engines,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) await ensureCliBuilt();
