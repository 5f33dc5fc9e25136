import { constants } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import type { PartStore } from '#worker/backup/backup-format.ts';

/**
 * A backup is a tar archive (POSIX ustar), which `tar tf FILE` lists. Only one part is in memory at
 * a time.
 */
const BLOCK = 512;

/**
 * Passes `write` a store that adds parts to the archive. The file appears after `write` has
 * resolved.
 */
export async function writeArchive(
  path: string,
  write: (store: PartStore) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.unfinished`;
  // The file holds addresses and password hashes, so only its owner may read it.
  const file = await open(unfinished, 'w', 0o600);
  try {
    await write({
      read: () => Promise.resolve(null),
      write: async (name, bytes) => {
        await file.write(headerOf(name, bytes.length));
        await file.write(bytes);
        await file.write(Buffer.alloc(paddingOf(bytes.length)));
      },
    });
    await file.write(Buffer.alloc(2 * BLOCK));
    await file.sync();
    await file.close();
    await rename(unfinished, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

export async function readArchive<T>(
  path: string,
  read: (store: PartStore) => Promise<T>,
): Promise<T> {
  const file = await open(path, constants.O_RDONLY);
  try {
    const entries = await indexOf(file);
    return await read({
      read: async (name) => {
        const entry = entries.get(name);
        return entry === undefined ? null : readAt(file, entry.at, entry.size);
      },
      write: () => Promise.reject(new Error('An archive that is read cannot be written.')),
    });
  } finally {
    await file.close();
  }
}

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write('0000600\0', 100);
  header.write('0000000\0'.repeat(2), 108);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write(
    `${Math.floor(Date.now() / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  header.write('        0', 148);
  header.write('ustar\u000000', 257);
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

async function indexOf(file: FileHandle): Promise<Map<string, { at: number; size: number }>> {
  const entries = new Map<string, { at: number; size: number }>();
  for (let at = 0; ;) {
    const header = await readAt(file, at, BLOCK);
    const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(header.toString('utf8', 124, 135), 8);
    if (name === '' || header.length < BLOCK || !Number.isSafeInteger(size)) return entries;
    entries.set(name, { at: at + BLOCK, size });
    at += BLOCK + size + paddingOf(size);
  }
}

async function readAt(file: FileHandle, position: number, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size);
  const { bytesRead } = await file.read(buffer, 0, size, position);
  return buffer.subarray(0, bytesRead);
}
