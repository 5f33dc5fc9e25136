import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/shared/place.ts';

/** Types of the Worker that still share a name. This list may only get shorter. */
const SHARED_NAMES: ReadonlyMap<string, string> = new Map([
  ['PricingPage', 'web/app adds the plan and the upgrade dialog to the page of web/features'],
  ['SETTING_NAMES', 'a page that imports the list of the contract would also load the validator'],
  ['SettingsPage', 'web/app adds the panels of other features to the page of web/features'],
  ['resendConfirmation', 'the page calls the use case of the Worker over HTTP'],
]);

/** Maps the names of exported types, interfaces and classes to their files. */
const EXPORT =
  /^export (?:declare )?(?:async )?(?:type|interface|class|enum|function\*?|const|let) (\w+)/gm;

function filesByName(): Map<string, Set<string>> {
  const files = globSync('{worker,web,cli,extension}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['web/dist/**', 'cli/dist/**', '**/*.test.*', '**/testing/**', '**/*.d.ts'],
  });
  const byName = new Map<string, Set<string>>();
  for (const file of files.toSorted()) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    for (const [, name = ''] of source.matchAll(EXPORT))
      byName.set(name, (byName.get(name) ?? new Set()).add(file));
  }
  return byName;
}

describe('exported names', () => {
  const byName = filesByName();
  const shared = [...byName].filter(([, files]) => files.size > 1);

  it('the search finds exports', () => {
    expect(byName.get('paginate')).toEqual(new Set(['worker/db/paginate.ts']));
  });

  it('every exported name comes from one file', () => {
    expect(shared.filter(([name]) => !SHARED_NAMES.has(name))).toEqual([]);
  });

  it('every exception is needed', () => {
    const names = new Set(shared.map(([name]) => name));
    expect([...SHARED_NAMES.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});
