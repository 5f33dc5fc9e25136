import { mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps the files of this folder in memory. */
const IN_MEMORY = '/dev/shm';
/** A run uses less than a tenth of this. */
const NEEDED_BYTES = 2e9;

/**
 * A new folder for the temporary files of a test run: in memory if there is room, because local D1
 * waits for the disk after every write, which tests make by the ten thousand; else where the system
 * keeps such files. The caller deletes it.
 */
export const makeTestFolder = (): string =>
  mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), 'hop-test-'));

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, freemem()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
