import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { onceFor } from './stamp.ts';

const newStamp = (): string => join(mkdtempSync(join(tmpdir(), 'hop-stamp-')), 'stamp');

test('work is done once for a stamp, and again for another', async () => {
  const stamp = newStamp();
  let runs = 0;
  const work = () => Promise.resolve(void (runs += 1));
  expect(await onceFor(stamp, 'a', work)).toBe(true);
  expect(await onceFor(stamp, 'a', work)).toBe(false);
  expect(await onceFor(stamp, 'b', work)).toBe(true);
  expect(await onceFor(stamp, 'b', work, () => false)).toBe(true);
  expect(runs).toBe(3);
});

test('ten at once: one works, the others wait for it', async () => {
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

test('failed work leaves no stamp and no lock', async () => {
  const stamp = newStamp();
  await expect(onceFor(stamp, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(stamp)).toBe(false);
  expect(existsSync(`${stamp}.lock`)).toBe(false);
});

test('the lock of a process that died is broken', async () => {
  const stamp = newStamp();
  // Above every system's largest process id.
  writeFileSync(`${stamp}.lock`, '99999999');
  expect(await onceFor(stamp, 'a', () => Promise.resolve())).toBe(true);
});
