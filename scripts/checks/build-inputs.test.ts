import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { CLI_INPUTS } from '#scripts/build/build-cli.ts';
import { EXTENSION_INPUTS } from '#scripts/build/build-extension.ts';
import { PAGE_INPUTS } from '#scripts/build/build-web.ts';
import { WORKER_INPUTS } from '#scripts/build/bundle.ts';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

const { imports }: { imports: Record<string, string> } = JSON.parse(readText('package.json'));
const IMPORT = /(?:^(?:import|export)(?! type)\b[^;']*?|\bimport\(\s*)'([^']+)'/gm;

/** Returns the path of an imported file of the repository; undefined for a package. */
function pathOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('./')) return posix.join(posix.dirname(from), specifier);
  const [name, path] =
    Object.entries(imports).find(([one]) => specifier.startsWith(one.replace('*', ''))) ?? [];
  return path?.replace('*', specifier.slice(name?.replace('*', '').length)).replace('./', '');
}

/** Returns these modules and all that they import, directly or not. */
function modulesOf(...entries: string[]): string[] {
  const found = new Set(entries);
  for (const file of found)
    if (existsSync(join(ROOT, file)))
      for (const [, specifier = ''] of readText(file).matchAll(IMPORT)) {
        const path = pathOf(specifier, file);
        if (path !== undefined) found.add(path);
      }
  return [...found];
}

const POPUP = ['extension/popup.ts', 'extension/options.ts', 'extension/background.ts'];
it.each([
  ['the command line', CLI_INPUTS, modulesOf('cli/hop.ts', 'cli/client.ts')],
  ['the extension', EXTENSION_INPUTS, modulesOf(...POPUP, 'extension/manifest.ts')],
  ['the pages', PAGE_INPUTS, modulesOf('web/main.tsx', 'web/vite.config.ts')],
  ['the Worker', WORKER_INPUTS, modulesOf('worker/index.ts')],
])('a change of any module builds %s again', (_, inputs, modules) => {
  expect(modules.length).toBeGreaterThan(15);
  const isInput = (file: string) => inputs.some((one) => `${file}/`.startsWith(`${one}/`));
  expect(modules.filter((file) => !isInput(file))).toEqual([]);
});
