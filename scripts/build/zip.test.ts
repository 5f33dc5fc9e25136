import { describe, expect, it } from 'vitest';
import { crc32, inflateRawSync } from 'node:zlib';
import { zip } from './zip.ts';

/** Reads an archive by its directory, as programs do. */
function unpack(archive: Uint8Array): Record<string, string> {
  const bytes = Buffer.from(archive);
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06_05_4b_50);
  const files: Record<string, string> = {};
  let entry = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    expect(bytes.readUInt32LE(entry)).toBe(0x02_01_4b_50);
    const nameLength = bytes.readUInt16LE(entry + 28);
    const name = bytes.toString('utf8', entry + 46, entry + 46 + nameLength);
    const local = bytes.readUInt32LE(entry + 42);
    expect(bytes.readUInt32LE(local)).toBe(0x04_03_4b_50);
    const start = local + 30 + bytes.readUInt16LE(local + 26);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(local + 18));
    const content = inflateRawSync(packed);
    for (const header of [local + 4, entry + 6]) {
      expect(bytes.readUInt16LE(header + 2)).toBe(0x08_00);
      expect(bytes.readUInt32LE(header + 10)).toBe(crc32(content));
      expect(bytes.readUInt32LE(header + 18)).toBe(content.length);
    }
    files[name] = content.toString();
    entry += 46 + nameLength;
  }
  return files;
}

describe('zip', () => {
  it('packs files that can be read by the directory', () => {
    const files = { 'b.txt': 'b'.repeat(1000), 'a.json': '{}', 'é.txt': 'ü' };
    expect(unpack(zip(files))).toEqual(files);
  });

  it('the same files make the same bytes, in any order', () => {
    expect(zip({ a: '1', b: '2' })).toEqual(zip({ b: '2', a: '1' }));
  });
});
