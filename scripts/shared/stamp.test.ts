import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ROOT } from './place.ts';
import { hashOf, isRunning, onceFor } from './stamp.ts';

const newStamp = (): string => join(mkdtempSync(join(tmpdir(), 'hop-stamp-')), 'stamp');

it('work runs once for a stamp, and again for another', async () => {
  const stamp = newStamp();
  let runs = 0;
  const work = () => Promise.resolve(void (runs += 1));
  expect(await onceFor(stamp, 'a', work)).toBe(true);
  expect(await onceFor(stamp, 'a', work)).toBe(false);
  expect(await onceFor(stamp, 'b', work)).toBe(true);
  expect(await onceFor(stamp, 'b', work, () => false)).toBe(true);
  expect(runs).toBe(3);
});

it('lets one of ten concurrent callers work while the others wait', async () => {
  const stamp = newStamp();
  let runs = 0;
  const work = async () => {
    await sleep(50);
    runs += 1;
  };
  const did = await Promise.all(Array.from({ length: 10 }, () => onceFor(stamp, 'a', work)));
  expect(runs).toBe(1);
  expect(did.filter(Boolean)).toHaveLength(1);
});

it('an error leaves no stamp and no lock', async () => {
  const stamp = newStamp();
  await expect(onceFor(stamp, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(stamp)).toBe(false);
  expect(existsSync(`${stamp}.lock`)).toBe(false);
});

it('a hash depends on names and contents, without the folders to skip', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hop-hash-'));
  const hash = () => hashOf([relative(ROOT, folder)], ['dist']);
  writeFileSync(join(folder, 'a'), '1');
  const first = hash();
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist', 'b'), '1');
  expect(hash()).toBe(first);
  renameSync(join(folder, 'a'), join(folder, 'c'));
  const renamed = hash();
  writeFileSync(join(folder, 'c'), '2');
  expect(new Set([first, renamed, hash()]).size).toBe(3);
});

it('a lock without an id belongs to a process that has just made it', () => {
  const lock = newStamp();
  writeFileSync(lock, '');
  expect(isRunning(lock)).toBe(true);
});

it('breaks the lock of a process that died', async () => {
  const stamp = newStamp();
  // This is larger than any process id.
  writeFileSync(`${stamp}.lock`, '99999999');
  expect(await onceFor(stamp, 'a', () => Promise.resolve())).toBe(true);
});
