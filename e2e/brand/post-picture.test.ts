import { readFileSync } from 'node:fs';
import { gunzipSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { PictureLayout } from '#contract/blog/post-text.ts';
import { DEMO_POSTS } from '#scripts/demo/posts.ts';
import { breakLines, drawPostPicture } from '#worker/site/draw-post-picture.ts';

const FILE = new Uint8Array(
  readFileSync(new URL('../../web/public/post-picture.bin', import.meta.url)),
);
const data = gunzipSync(FILE);
const layout: PictureLayout = JSON.parse(data.subarray(4, 4 + data.readUInt32LE()).toString());
const draw = (title: string, slug = 'a-post') => drawPostPicture(new Blob([FILE]), title, slug);

/** The palette's index of the ink. */
const INK = 11;

/** Returns the pixels of a PNG with 4 bits per pixel, as indexes of its palette. */
async function pixelsOf(
  title: string,
  slug?: string,
): Promise<{ width: number; height: number; pixels: Uint8Array }> {
  const png = Buffer.from((await draw(title, slug)) ?? []);
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001A\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    chunks.set(
      png.toString('latin1', at + 4, at + 8),
      png.subarray(at + 8, at + 8 + png.readUInt32BE(at)),
    );
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  expect(lines.length).toBe(height * (1 + width / 2));
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const byte = lines[y * (1 + width / 2) + 1 + (x >> 1)] ?? 0;
      pixels[y * width + x] = x % 2 === 0 ? byte >> 4 : byte & 0x0f;
    }
  return { width, height, pixels };
}

/** Counts the pixels in the title's color between two rows of pixels, to the left of the arcs. */
const inkBetween = (
  { width, pixels }: Awaited<ReturnType<typeof pixelsOf>>,
  from: number,
  to: number,
): number =>
  pixels
    .subarray(from * width, to * width)
    .filter((index, at) => index === INK && at % width < width / 3).length;

/** The middle of the point where the arc lands, in pixels. */
function landingOf({ width, pixels }: Awaited<ReturnType<typeof pixelsOf>>): readonly number[] {
  const full = layout.palette.length - 1;
  const right = width / 3;
  const found = Array.from(pixels.keys()).filter((at) => pixels[at] === full && at % width > right);
  const mean = (value: (at: number) => number): number =>
    Math.round(found.reduce((sum, at) => sum + value(at), 0) / found.length);
  return [mean((at) => at % width), mean((at) => Math.floor(at / width))];
}

describe('drawPostPicture', () => {
  it('draws the title on a picture of 1200 × 630 pixels, its last line at the bottom', async () => {
    const { bottom, lineHeight } = layout.title;
    const [none, short, long] = [
      await pixelsOf(' '),
      await pixelsOf('Hello'),
      await pixelsOf('Hello '.repeat(9)),
    ];
    expect([short.width, short.height]).toEqual([1200, 630]);
    expect(inkBetween(none, bottom - lineHeight, bottom)).toBe(0);
    expect(inkBetween(short, bottom - lineHeight, bottom)).toBeGreaterThan(2_000);
    expect(inkBetween(short, bottom - 2 * lineHeight, bottom - lineHeight)).toBe(0);
    expect(inkBetween(long, bottom - 2 * lineHeight, bottom - lineHeight)).toBeGreaterThan(2_000);
  });

  it('an arc lands above the title, elsewhere for each slug', async () => {
    const { bottom, lineHeight } = layout.title;
    const [first, again, other, long] = [
      landingOf(await pixelsOf('Hello', 'a-post')),
      landingOf(await pixelsOf('Hello', 'a-post')),
      landingOf(await pixelsOf('Hello', 'another-post')),
      landingOf(await pixelsOf('Hello '.repeat(9), 'a-post')),
    ];
    expect(first[1]).toBeGreaterThan(300);
    expect(first[1]).toBeLessThan(bottom - lineHeight - 20);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(long).toEqual([first[0], (first[1] ?? 0) - lineHeight]);
  });

  it('the landing point has no dark pixels around it', async () => {
    const picture = await pixelsOf(' ', 'a-post');
    const [x = 0, y = 0] = landingOf(picture);
    const ink = layout.palette.length - 4;
    const below = Array.from({ length: 41 * 18 }, (_, index) => {
      const [column, row] = [x - 20 + (index % 41), y + 3 + Math.floor(index / 41)];
      return picture.pixels[row * picture.width + column];
    });
    expect(below).not.toContain(ink);
  });

  it('the font has the letters of every demo post, and missing letters draw nothing', async () => {
    for (const { title } of DEMO_POSTS) expect(await draw(title), title).not.toBeNull();
    for (const title of ['Σήμερα', 'مرحبا', 'A 🐸']) expect(await draw(title), title).toBeNull();
  });

  it('a picture with the longest title is smaller than 60 KB', async () => {
    expect((await draw('@W&'.repeat(66)))?.length).toBeLessThan(60_000);
  });

  it('the landing point has no dark pixels at its lower edge', async () => {
    const picture = await pixelsOf('A title');
    const { width, pixels } = picture;
    const [x = 0, y = 0] = landingOf(picture);
    const around = Array.from({ length: 40 * 20 }, (_, at) => {
      const [column, row] = [x - 20 + (at % 40), y + 4 + Math.floor(at / 40)];
      return pixels[row * width + column];
    });
    expect(around).toContain(layout.palette.length - 1);
    expect(around).not.toContain(INK);
  });
});

describe('breakLines', () => {
  it('breaks between words and inside overlong words, and ends with an ellipsis', () => {
    expect(breakLines('A title', layout)).toEqual(['A title']);
    const words = breakLines('several words '.repeat(5), layout);
    expect(words.join(' ')).toBe('several words '.repeat(5).trim());
    expect(words.length).toBeGreaterThan(1);
    expect(breakLines('Why a click counts exactly once', layout)).toEqual([
      'Why a click counts',
      'exactly once',
    ]);
    const broken = breakLines('m'.repeat(40), layout);
    expect(broken.length).toBeGreaterThan(1);
    expect(broken.join('')).toBe('m'.repeat(40));
    const cut = breakLines('m'.repeat(200), layout);
    expect(cut).toHaveLength(layout.title.lines);
    expect(cut.at(-1)).toMatch(/m…$/);
  });
});
