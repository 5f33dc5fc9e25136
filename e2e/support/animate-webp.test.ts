import { describe, expect, it } from 'vitest';
import { animateWebp } from './animate-webp.ts';

/** One pixel, as Chromium encodes it. */
const PIXEL = Uint8Array.from(
  Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
);
const SIZE = { width: 960, height: 600 };
const frame = (x: number, ms: number) => ({ webp: PIXEL, x, y: 4, width: 1, height: 1, ms });

/** Names and data of the chunks in a file. */
function chunksOf(file: Uint8Array): (readonly [name: string, data: Buffer])[] {
  const bytes = Buffer.from(file);
  const found: (readonly [string, Buffer])[] = [];
  for (let at = 12; at < bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    found.push([bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8, at + 8 + size)]);
    at += 8 + size + (size % 2);
  }
  return found;
}

describe('animateWebp', () => {
  it('writes the size of the film, and each frame with its place and duration', () => {
    const file = animateWebp([frame(0, 300), frame(258, 70_000)], SIZE);
    expect(Buffer.from(file).readUInt32LE(4)).toBe(file.length - 8);
    const [[, size] = ['', Buffer.alloc(10)], [, loops] = ['', Buffer.alloc(6)], ...frames] =
      chunksOf(file);
    expect([size[0], size.readUIntLE(4, 3) + 1, size.readUIntLE(7, 3) + 1]).toEqual([2, 960, 600]);
    expect(loops.readUInt16LE(4)).toBe(0);
    const placed = frames.map(([name, data]) => ({
      name,
      x: 2 * data.readUIntLE(0, 3),
      y: 2 * data.readUIntLE(3, 3),
      ms: data.readUIntLE(12, 3),
      image: data.toString('latin1', 16, 20),
    }));
    expect(placed).toEqual([
      { name: 'ANMF', x: 0, y: 4, ms: 300, image: 'VP8L' },
      { name: 'ANMF', x: 258, y: 4, ms: 70_000, image: 'VP8L' },
    ]);
  });

  it('rejects a frame at an odd place, and one that is not a WebP image', () => {
    expect(() => animateWebp([frame(3, 10)], SIZE)).toThrow('cannot begin at 3, 4');
    const empty = { ...frame(0, 10), webp: new Uint8Array(12) };
    expect(() => animateWebp([empty], SIZE)).toThrow('not a WebP image');
  });
});
