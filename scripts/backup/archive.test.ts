import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeArchive } from './archive.ts';

it('a failed backup leaves an earlier file as it was and nothing beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hop-archive-'));
  const path = join(folder, 'hop.tar');
  writeFileSync(path, 'the backup of yesterday');
  const write = writeArchive(path, async (store) => {
    await store.write('part', new Uint8Array(10));
    throw new Error('D1 is busy');
  });
  await expect(write).rejects.toThrow('D1 is busy');
  expect(readdirSync(folder)).toEqual(['hop.tar']);
  expect(readFileSync(path, 'utf8')).toBe('the backup of yesterday');
});
