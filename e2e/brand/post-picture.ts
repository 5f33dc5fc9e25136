import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { BRAND_COLORS, MARK } from '#contract/pages/brand.ts';
import type { PictureLayout } from '#contract/blog/post-text.ts';
import { SITE_NAME } from '#contract/site.ts';
import { CHROMIUM_ARGS, findChromium } from '#scripts/test/chromium.ts';
import { fontFace, mark } from './brand.ts';

/**
 * Writes web/public/post-picture.bin: the background and the glyphs from which the Worker draws a
 * post's picture. Run `node e2e/brand/post-picture.ts` after a change of the mark, the name or the
 * typeface, and commit the result.
 */

const [WIDTH, HEIGHT] = [1200, 630];
const { paper: PAPER, ink: INK, landing: LANDING, landingOnDark: LANDING_ON_DARK } = BRAND_COLORS;
/**
 * The palette has 16 colors: shades from paper to ink, the landing point of the mark, and shades
 * from paper to the landing point of the arc.
 */
const INK_SHADES = 12;
const FONT_PX = 76;
const TITLE = { left: 80, bottom: 560, width: 1040, lines: 4, lineHeight: 88 };
const SPACING_PX = -FONT_PX * 0.03;

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i));
/** The number of points in which the Worker gets the mark's arc. */
const ARC_POINTS = 49;
/** Latin-1 and typographic punctuation. A title with other characters has no picture. */
const CHARACTERS = [
  ...range(0x20, 0x7e),
  ...range(0xa1, 0xac),
  ...range(0xae, 0xff),
  ...Array.from('–—‘’“”…'),
];
const KERNED = range(0x21, 0x7e);

type Rgb = readonly number[];
const rgbOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * share));
const PALETTE: readonly Rgb[] = [
  ...Array.from({ length: INK_SHADES }, (_, i) =>
    mix(rgbOf(PAPER), rgbOf(INK), i / (INK_SHADES - 1)),
  ),
  rgbOf(LANDING_ON_DARK),
  ...[1 / 3, 2 / 3, 1].map((share) => mix(rgbOf(PAPER), rgbOf(LANDING), share)),
];

function nearest(rgb: Rgb): number {
  const distances = PALETTE.map((color) =>
    color.reduce((sum, value, i) => sum + (value - (rgb[i] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

/** Packs two pixels into a byte. Every row begins with a new byte. */
function pack(pixels: readonly number[], width: number): Buffer {
  const rows: number[] = [];
  for (let y = 0; y * width < pixels.length; y += 1)
    for (let x = 0; x < width; x += 2)
      rows.push(
        ((pixels[y * width + x] ?? 0) << 4) |
          (x + 1 < width ? (pixels[y * width + x + 1] ?? 0) : 0),
      );
  return Buffer.from(rows);
}

const html = async (): Promise<string> => `<!doctype html><meta charset="utf-8"><style>
  ${await fontFace('Geist', 'geist/files/geist-latin-wght-normal.woff2')}
  *{box-sizing:border-box;margin:0}
  body{width:${WIDTH}px;height:${HEIGHT}px;background:${PAPER};color:${INK};font-family:Geist;padding:72px 80px}
  .brand{display:flex;align-items:center;gap:20px;font-size:40px;font-weight:600;letter-spacing:-.02em}
  .brand svg{width:64px;height:64px}
  .brand span{color:#7d7f87;font-weight:400}
</style>
<div class="brand">${mark(5.5, 0.92)}<b style="font-weight:600">${SITE_NAME}</b><span>Blog</span></div>`;

const executablePath = findChromium();
if (executablePath === undefined) throw new Error('This needs Chromium: name it in CHROMIUM.');
const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
try {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  await page.setContent(await html());
  const titleFont = `650 ${FONT_PX}px Geist`;
  await page.evaluate((wanted) => document.fonts.load(wanted).then(() => true), titleFont);
  const screenshot = `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;
  const drawn = await page.evaluate(
    async ({ shot, font, characters, kerned, lineHeight, shades }) => {
      const makeContext = (width: number, height: number): CanvasRenderingContext2D => {
        const context = Object.assign(document.createElement('canvas'), {
          width,
          height,
        }).getContext('2d', {
          willReadFrequently: true,
        });
        if (context === null) throw new Error('no canvas');
        return context;
      };
      const image = new Image();
      image.src = shot;
      await image.decode();
      const background = makeContext(image.width, image.height);
      background.drawImage(image, 0, 0);
      const side = 2 * lineHeight;
      const context = makeContext(side, side);
      context.font = font;
      context.textBaseline = 'alphabetic';
      const baseline = Math.round(lineHeight * 0.78);
      const pen = Math.round(side / 4);
      const glyphs = characters.map((character) => {
        context.clearRect(0, 0, side, side);
        context.fillText(character, pen, baseline);
        const { data } = context.getImageData(0, 0, side, side);
        const shade = (x: number, y: number): number =>
          Math.round(((data[(y * side + x) * 4 + 3] ?? 0) / 255) * (shades - 1));
        let [left, top, right, bottom] = [side, side, -1, -1];
        for (let y = 0; y < side; y += 1)
          for (let x = 0; x < side; x += 1)
            if (shade(x, y) > 0)
              [left, top, right, bottom] = [
                Math.min(left, x),
                Math.min(top, y),
                Math.max(right, x),
                Math.max(bottom, y),
              ];
        const [width, height] = right < 0 ? [0, 0] : [right - left + 1, bottom - top + 1];
        const pixels = Array.from({ length: width * height }, (_, i) =>
          shade(left + (i % width), top + Math.floor(i / width)),
        );
        const advance = context.measureText(character).width;
        return {
          character,
          advance,
          left: width === 0 ? 0 : left - pen,
          top: width === 0 ? 0 : top,
          width,
          height,
          pixels,
        };
      });
      const advances = new Map(glyphs.map((glyph) => [glyph.character, glyph.advance]));
      const kerning: [string, number][] = [];
      for (const first of kerned)
        for (const second of kerned) {
          const change =
            context.measureText(first + second).width -
            (advances.get(first) ?? 0) -
            (advances.get(second) ?? 0);
          if (Math.abs(change) >= 0.5) kerning.push([first + second, Math.round(change)]);
        }
      return {
        background: Array.from(background.getImageData(0, 0, image.width, image.height).data),
        glyphs,
        kerning,
      };
    },
    {
      shot: screenshot,
      font: titleFont,
      characters: CHARACTERS,
      kerned: KERNED,
      lineHeight: TITLE.lineHeight,
      shades: INK_SHADES,
    },
  );
  const along = await page.evaluate(
    ({ d, count }) => {
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      path.setAttribute('d', d);
      return Array.from({ length: count }, (_, i) => {
        const { x, y } = path.getPointAtLength((path.getTotalLength() * i) / (count - 1));
        return [x, y] as const;
      });
    },
    { d: MARK.arc, count: ARC_POINTS },
  );
  const [xs, ys] = [along.map(([x]) => x), along.map(([, y]) => y)];
  const share = (value: number, from: number, to: number): number =>
    Math.round(((value - from) / (to - from)) * 1000) / 1000;
  const arc = along.map(
    ([x, y]) =>
      [
        share(x, Math.min(...xs), Math.max(...xs)),
        share(y, Math.max(...ys), Math.min(...ys)),
      ] as const,
  );
  const background = Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
    nearest(drawn.background.slice(i * 4, i * 4 + 3)),
  );
  const packed = drawn.glyphs.map(({ pixels, width }) => pack(pixels, width));
  let at = 0;
  const glyphs: Record<string, readonly [number, number, number, number, number, number]> = {};
  for (const [i, { character, advance, left, top, width, height }] of drawn.glyphs.entries()) {
    glyphs[character] = [
      Math.round((advance + SPACING_PX) * 10) / 10,
      left,
      top,
      width,
      height,
      at,
    ];
    at += packed[i]?.length ?? 0;
  }
  const layout: PictureLayout = {
    width: WIDTH,
    height: HEIGHT,
    palette: PALETTE.map((color) =>
      color.map((value) => value.toString(16).padStart(2, '0')).join(''),
    ),
    arc,
    title: TITLE,
    glyphs,
    kerning: Object.fromEntries(drawn.kerning),
  };
  const text = Buffer.from(JSON.stringify(layout));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const file = gzipSync(Buffer.concat([length, text, pack(background, WIDTH), ...packed]), {
    level: 9,
  });
  await writeFile(
    fileURLToPath(new URL('../../web/public/post-picture.bin', import.meta.url)),
    file,
  );
  console.log(`${drawn.glyphs.length} glyphs, ${file.length} bytes`);
} finally {
  await browser.close();
}
