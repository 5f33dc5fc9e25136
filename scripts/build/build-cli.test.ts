import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CLI_PACKAGE } from '#contract/pages/paths.ts';
import { readText } from '#scripts/shared/markdown.ts';
import { run, WEB_DIST } from '#scripts/shared/place.ts';
import { ensureCliBuilt } from './build-cli.ts';

const tar = async (...args: string[]): Promise<string> =>
  (await run('/usr/bin/env', ['tar', ...args], { quiet: true })).output;
const file = join(WEB_DIST, CLI_PACKAGE);

describe('the package of the command line', () => {
  beforeAll(ensureCliBuilt);

  it('the package has a program, a client with its types, and the licenses', async () => {
    const files = (await tar('-tvzf', file)).trim().split('\n').toSorted();
    const named = files.map((line) => [line.slice(0, 10), line.split('package/')[1]]);
    const [program, plain] = ['-rwxr-xr-x', '-rw-r--r--'];
    expect(named).toEqual(
      expect.arrayContaining([
        [program, 'hop.js'],
        ...[
          'LICENSE',
          'README.md',
          'THIRD-PARTY.md',
          'api.d.ts',
          'client.d.ts',
          'client.js',
          'openapi-fetch.d.ts',
          'openapi-typescript-helpers.d.ts',
          'package.json',
        ].map((name) => [plain, name]),
      ]),
    );
    expect(named.filter(([mode]) => mode === program)).toHaveLength(1);
    const types = await tar('-xzOf', file, 'package/client.d.ts', 'package/openapi-fetch.d.ts');
    expect(types.match(/from ['"]openapi-[\w-]+['"]/g)).toBeNull();
  });

  it('needs no other package, and has a name that nobody can publish', async () => {
    const { version, license, engines }: Record<string, unknown> = JSON.parse(
      readText('package.json'),
    );
    expect(JSON.parse(await tar('-xzOf', file, 'package/package.json'))).toEqual({
      name: 'Hop',
      version,
      description: 'The command line and the typed client of a Hop link shortener.',
      license,
      type: 'module',
      bin: { hop: 'hop.js' },
      exports: { '.': { types: './client.d.ts', default: './client.js' } },
      engines,
    });
  });
});
