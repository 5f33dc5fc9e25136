import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';

const BLOCK = 512;
const FILE_MODE = 0o644;
const PROGRAM_MODE = 0o755;

/**
 * Packs files as npm packages are packed: a gzipped tar archive below `package/` (ustar, POSIX
 * pax(1)). The same files make the same bytes: without times and owners, in the order of their
 * names. `programs` names the files that can be run.
 */
export function pack(
  files: Readonly<Record<string, string | Uint8Array>>,
  programs: ReadonlySet<string>,
): Uint8Array {
  const entries = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const blocks = entries.flatMap(([name, content]) => {
    const bytes = Buffer.from(content);
    const mode = programs.has(name) ? PROGRAM_MODE : FILE_MODE;
    return [header(`package/${name}`, bytes.length, mode), bytes, padding(bytes.length)];
  });
  const archive = Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
  const zipped = gzipSync(archive, { level: 9 });
  // The operating system of the builder (RFC 1952 §2.3.1); 255 is unknown.
  zipped[9] = 255;
  return zipped;
}

function header(name: string, size: number, mode: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string =>
    `${value.toString(8).padStart(digits, '0')}\0`;
  block.write(name, 0, 100);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(0, 11), 136);
  // The checksum counts its own field as spaces.
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar', 257);
  block.write('00', 263);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)} `, 148);
  return block;
}

const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
