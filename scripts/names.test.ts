import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './place.ts';

/** Types of the Worker that still share a name. This list may only get shorter. */
const STILL_SHARED: ReadonlySet<string> = new Set([
  'ActionResult',
  'ChangeResult',
  'Counts',
  'DeleteAccountRequest',
  'Delivery',
  'LinkChange',
  'LinkInput',
  'LinkRow',
  'LinkState',
  'Page',
  'RecentClick',
  'Recipient',
  'StoredLink',
  'Totals',
]);

/** Maps the names of exported types, interfaces and classes to their files. */
function exportersByName(): Map<string, string[]> {
  const files = globSync('{worker,web,cli}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['web/dist/**', 'cli/dist/**', '**/*.test.*', '**/testing/**', '**/*.d.ts'],
  });
  const exporters = new Map<string, string[]>();
  for (const file of files.toSorted()) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    for (const [, name = ''] of source.matchAll(/^export (?:type|interface|class) (\w+)/gm))
      exporters.set(name, [...(exporters.get(name) ?? []), file]);
  }
  return exporters;
}

describe('names of exported types', () => {
  const shared = [...exportersByName()].filter(([, files]) => files.length > 1);

  it('every exported type has a unique name', () => {
    expect(shared.filter(([name]) => !STILL_SHARED.has(name))).toEqual([]);
  });

  it('lists no exception that is not needed', () => {
    const names = new Set(shared.map(([name]) => name));
    expect([...STILL_SHARED].filter((name) => !names.has(name))).toEqual([]);
  });
});
