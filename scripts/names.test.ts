import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './place.ts';

/** The files that export a type, an interface or a class, by its name. */
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

  it('exports each type name from one file', () => {
    expect(shared).toEqual([]);
  });
});
