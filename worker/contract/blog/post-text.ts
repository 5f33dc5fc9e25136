import { POST_SLUG_MAX } from '#contract/limits.ts';

const WORDS_PER_MINUTE = 200;

/** Lower-case letters and digits, with single hyphens between them. */
export const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const isSlug = (text: string): boolean =>
  text.length <= POST_SLUG_MAX && SLUG_PATTERN.test(text);

/** The end of a sentence: its mark, what closes it, and a space before another sentence. */
const SENTENCE_END = /[.!?…]['"”’)\]]*(?= )/g;

/**
 * The whole sentences in the first `length` characters (code points), on one line, with an ellipsis
 * for the rest. If they are less than half of it, the whole words; the ellipsis then replaces the
 * punctuation before it. A text without a space in its second half is cut inside a word.
 */
export function excerptOf(content: string, length: number): string {
  const characters = Array.from(content.replace(/\s+/gu, ' ').trim());
  if (characters.length <= length) return characters.join('');
  const start = characters.slice(0, length + 1).join('');
  const sentence = [...start.matchAll(SENTENCE_END)].at(-1);
  const sentences = start.slice(0, (sentence?.index ?? 0) + (sentence?.[0].length ?? 0));
  if (Array.from(sentences).length > length / 2) return `${sentences} …`;
  const end = characters.lastIndexOf(' ', length);
  const words = characters.slice(0, end > length / 2 ? end : length).join('');
  return `${words.replace(/[\s,;:.–—-]+$/u, '')}…`;
}

/** Reading time at 200 words a minute, rounded up; at least one minute. */
export function minutesOf(text: string): number {
  const words = text.split(/\s+/u).filter((word) => word !== '').length;
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}

/** The slug suggested for a title: 'Hello, World!' → 'hello-world'. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, POST_SLUG_MAX)
    .replace(/-+$/, '');
}

/**
 * web/public/post-picture.bin, from which the Worker draws the picture that shared links to a post
 * show: a gzip file with the length of the layout in 4 bytes (little-endian), the layout as JSON,
 * the background, and the glyphs of the title. Pixels are indexes of the palette, two in a byte.
 * `e2e/brand/post-picture.ts` makes it from the product's typeface.
 */
export type PictureLayout = {
  width: number;
  height: number;
  /**
   * Colors as 'rrggbb'. The first ones lead from the background to the ink of the title, then
   * comes the landing point of the mark, and the last three lead from the background to the color
   * of the point where the arc lands.
   */
  palette: readonly string[];
  /** Points of the mark's arc, from the link (0, 0) to the destination (1, 0), 1 high. */
  arc: readonly (readonly [x: number, y: number])[];
  /** The place of the title's lines, their greatest width and number, and their distance, in px. */
  title: { left: number; bottom: number; width: number; lines: number; lineHeight: number };
  /**
   * For each character: its advance, where its pixels begin (from the pen and from the top of the
   * line), their size, their first byte.
   */
  glyphs: Readonly<
    Record<
      string,
      readonly [
        advance: number,
        left: number,
        top: number,
        width: number,
        height: number,
        at: number,
      ]
    >
  >;
  /** The change of the advance between two characters. */
  kerning: Readonly<Record<string, number>>;
};

export const PICTURE_FILE = '/post-picture.bin';
export const picturePath = (slug: string): string => `/blog/${slug}/picture.png`;
/** The slug in the address of a post's picture; null for every other path. */
export const pictureSlugOf = (pathname: string): string | null =>
  /^\/blog\/([^/]+)\/picture\.png$/.exec(pathname)?.[1] ?? null;
