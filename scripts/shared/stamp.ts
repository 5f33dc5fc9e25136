import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './place.ts';

/**
 * Returns the SHA-256 of the names and contents of `paths` (relative to the root), without the
 * folders in `skip`.
 */
export function hashOf(paths: readonly string[], skip: readonly string[] = []): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of filesUnder(join(ROOT, path), skip))
      hash.update(relative(ROOT, file)).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesUnder(path: string, skip: readonly string[]): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !skip.includes(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesUnder(join(path, entry.name), skip));
}

/**
 * Runs `work` unless the stamp file already holds `wanted` and the result `isThere`, and returns
 * whether it ran. Processes that want the same stamp take turns with a lock file, so the second one
 * finds the work done. The lock of a dead process is removed.
 */
export async function onceFor(
  stamp: string,
  wanted: string,
  work: () => Promise<void>,
  isThere: () => boolean = () => true,
): Promise<boolean> {
  const isDone = () => isThere() && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (isDone()) return false;
  const lock = `${stamp}.lock`;
  mkdirSync(dirname(stamp), { recursive: true });
  while (!take(lock)) await sleep(100);
  try {
    if (isDone()) return false;
    await work();
    writeFileSync(stamp, wanted);
    return true;
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isRunning(lock)) rmSync(lock, { force: true });
    return false;
  }
}

export function isRunning(lock: string): boolean {
  try {
    const pid = readFileSync(lock, 'utf8');
    // The file is empty while its owner is between creating and writing it.
    if (pid === '') return true;
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
