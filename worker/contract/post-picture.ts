/**
 * web/public/post-picture.bin, from which the Worker draws the picture that shared links to a post
 * show: a gzip file with the length of the layout in 4 bytes (little-endian), the layout as JSON,
 * the background, and the glyphs of the title. Pixels are indexes of the palette, two in a byte.
 * `e2e/brand/post-picture.ts` makes it from the product's typeface.
 */
export type PictureLayout = {
  width: number;
  height: number;
  /** Colours as 'rrggbb'. The first ones lead from the background to the ink of the title. */
  palette: readonly string[];
  /**
   * Where the lines of the title begin and where the last one ends, the space that they have, and
   * their distance, in pixels.
   */
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
