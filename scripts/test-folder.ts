import { mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps files in this folder in memory. */
const IN_MEMORY = '/dev/shm';
/** A run needs less than a tenth of this. */
const NEEDED_BYTES = 2e9;

/**
 * Creates a folder for the temporary files of a test run, which the caller deletes. It is in memory
 * if there is room, because local D1 waits for the disk on every write and tests make tens of
 * thousands.
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
