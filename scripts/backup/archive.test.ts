import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readArchive, writeArchive } from './archive.ts';

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

it.each([0, 1, 511, 512, 513])('a part of %i bytes is read as it was written', async (size) => {
  const path = join(mkdtempSync(join(tmpdir(), 'hop-archive-')), 'hop.tar');
  const parts = { 'a/first.json': size, 'second.json': 3 };
  const bytesOf = (length: number) => new Uint8Array(length).fill(65);
  await writeArchive(path, async (store) => {
    for (const [name, length] of Object.entries(parts)) await store.write(name, bytesOf(length));
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  // A tar archive consists of blocks of 512 bytes and ends with two empty ones.
  expect(statSync(path).size % 512).toBe(0);
  await readArchive(path, async (store) => {
    for (const [name, length] of Object.entries(parts))
      expect(new Uint8Array((await store.read(name)) ?? [])).toEqual(bytesOf(length));
    expect(await store.read('first.json')).toBeNull();
    await expect(store.write('third.json', bytesOf(1))).rejects.toThrow('cannot be written');
  });
});
