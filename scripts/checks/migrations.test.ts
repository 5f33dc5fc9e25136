import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/shared/place.ts';

const load = (file: string): Promise<{ default?: { schema: string } }> =>
  import(pathToFileURL(join(ROOT, file)).href);

describe('migrations', () => {
  it('contain every change of the schema', async () => {
    const { default: config } = await load('drizzle.config.ts');
    const files = globSync(config?.schema ?? '', { cwd: ROOT });
    const modules = await Promise.all(files.map(load));
    const snapshots = globSync('migrations/meta/*_snapshot.json', { cwd: ROOT }).toSorted();
    const migrated = JSON.parse(readFileSync(join(ROOT, snapshots.at(-1) ?? ''), 'utf8'));
    const current = await generateSQLiteDrizzleJson(Object.assign({}, ...modules));
    expect(await generateSQLiteMigration(migrated, current)).toEqual([]);
  });
});
