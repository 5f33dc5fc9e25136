import type { PictureLayout } from '#contract/blog/post-text.ts';
import { encodePng } from '#worker/http/png.ts';
import { darken, drawMotif, half, type Canvas } from './draw-motif.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** How exactly the width of balanced lines is found, in pixels. */
const BALANCE_STEP = 20;

/**
 * The picture of a post as PNG, with its title in the product's typeface below arcs that depend on
 * its slug. `file` is web/public/post-picture.bin. Null for a title with characters that the file
 * does not have.
 */
export async function drawPostPicture(
  file: Blob,
  title: string,
  slug: string,
): Promise<Bytes | null> {
  const data = new Uint8Array(
    await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer(),
  );
  const length = new DataView(data.buffer).getUint32(0, true);
  const layout: PictureLayout = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  const characters = title.replaceAll(/\s+/g, ' ').normalize('NFC');
  if (Array.from(characters).some((character) => !Object.hasOwn(layout.glyphs, character)))
    return null;
  const stride = layout.width / 2;
  const background = data.subarray(4 + length);
  const glyphs = background.subarray(stride * layout.height);
  // Each line of a PNG begins with a byte that names its filter.
  const lines = new Uint8Array((stride + 1) * layout.height);
  for (let y = 0; y < layout.height; y += 1)
    lines.set(background.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  const titleLines = breakLines(characters, layout);
  const titleTop = layout.title.bottom - titleLines.length * layout.title.lineHeight;
  drawMotif(slug, titleTop, { layout, lines });
  for (const [index, line] of titleLines.entries()) {
    drawLine(line, titleTop + index * layout.title.lineHeight, { layout, glyphs, lines });
  }
  return encodePng(layout.width, layout.height, layout.palette, lines);
}

function widthOf(text: string, { glyphs, kerning }: PictureLayout): number {
  let width = 0;
  let before = '';
  for (const character of text) {
    width += (glyphs[character]?.[0] ?? 0) + (kerning[before + character] ?? 0);
    before = character;
  }
  return width;
}

/**
 * The title in lines of whole words, about as long as each other. A word that is wider than a line
 * is broken; a text that does not fit ends with an ellipsis.
 */
export function breakLines(title: string, layout: PictureLayout): string[] {
  const { width, lines: most } = layout.title;
  const lines = wrap(title, width, layout);
  if (lines.length <= most) return lines.length === 1 ? lines : balance(title, lines, layout);
  const shown = lines.slice(0, most);
  let last = shown.pop() ?? '';
  while (last !== '' && widthOf(`${last}…`, layout) > width) last = last.slice(0, -1);
  return [...shown, `${last.trimEnd()}…`];
}

function wrap(title: string, width: number, layout: PictureLayout): string[] {
  const fits = (text: string): boolean => widthOf(text, layout) <= width;
  const lines: string[] = [];
  let line = '';
  for (const word of title.trim().split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (!fits(line)) {
      let end = line.length - 1;
      while (end > 1 && !fits(line.slice(0, end))) end -= 1;
      lines.push(line.slice(0, end));
      line = line.slice(end);
    }
  }
  lines.push(line);
  return lines;
}

/** Wraps the title at the least width that needs as many lines and breaks no word. */
function balance(title: string, lines: string[], layout: PictureLayout): string[] {
  const widest = Math.max(...title.split(' ').map((word) => widthOf(word, layout)));
  let [tooNarrow, wide, best] = [widest - 1, layout.title.width, lines];
  while (wide - tooNarrow > BALANCE_STEP) {
    const middle = (tooNarrow + wide) / 2;
    const narrower = wrap(title, middle, layout);
    if (middle >= widest && narrower.length === lines.length) [wide, best] = [middle, narrower];
    else tooNarrow = middle;
  }
  return best;
}

function drawLine(
  text: string,
  lineTop: number,
  { glyphs, ...canvas }: Canvas & { glyphs: Uint8Array },
): void {
  const { layout } = canvas;
  let pen = layout.title.left;
  let before = '';
  for (const character of text) {
    const [advance, left, top, width, height, at] = layout.glyphs[character] ?? [0, 0, 0, 0, 0, 0];
    pen += layout.kerning[before + character] ?? 0;
    const glyphStride = Math.ceil(width / 2);
    const x0 = Math.round(pen) + left;
    for (let row = 0; row < height; row += 1) {
      for (let column = 0; column < width; column += 1) {
        const shade = half(glyphs[at + row * glyphStride + (column >> 1)] ?? 0, column);
        darken(canvas, x0 + column, lineTop + top + row, shade);
      }
    }
    pen += advance;
    before = character;
  }
}
