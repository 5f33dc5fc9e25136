import { readArguments } from '#scripts/shared/arguments.ts';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT_TYPES, clientTypesHead, documentText } from './client-types.ts';
import { ROOT, run } from '#scripts/shared/place.ts';

readArguments({
  usage: 'npm run generate -- client',
  about: `Writes the types of the client (cli/api.d.ts) from the OpenAPI document. They are committed.
npx fetches the generator: it needs the compiler's API of TypeScript 5, which is not installed here.`,
  options: {},
});

const PACKAGES = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];

const folder = mkdtempSync(join(tmpdir(), 'hop-client-'));
try {
  const [document, types] = [join(folder, 'openapi.json'), join(folder, 'api.d.ts')];
  writeFileSync(document, documentText());
  // npm sees the packages of its working folder, so it runs in another one.
  const args = [
    'exec',
    '--yes',
    ...PACKAGES.map((name) => `--package=${name}`),
    '--',
    'openapi-typescript',
    document,
  ];
  const { code, output } = await run('/usr/bin/env', ['npm', ...args, '--output', types], {
    cwd: folder,
    quiet: true,
  });
  if (code !== 0) throw new Error(`The types could not be generated:\n${output}`);
  writeFileSync(join(ROOT, CLIENT_TYPES), clientTypesHead() + readFileSync(types, 'utf8'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
