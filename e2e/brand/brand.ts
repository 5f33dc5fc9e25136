import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { arcElements } from '#contract/pages/arc-svg.ts';
import { BRAND_COLORS, MARK } from '#contract/pages/brand.ts';

const FONTS = fileURLToPath(new URL('../../node_modules/@fontsource-variable/', import.meta.url));

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${content}</svg>\n`;

/** The mark without a background. */
const plainMark = (line: string, landing: string): string => svg(arcElements(MARK, line, landing));

/** The mark with a heavier line and larger points, for icons of about 16 to 32 pixels. */
const SMALL_MARK = {
  ...MARK,
  strokeWidth: 2.75,
  start: { ...MARK.start, radius: 2.75 },
  landing: { ...MARK.landing, radius: 2.75 },
};

/**
 * Returns the mark on its dark square. `radius` 0 fills the square for systems that cut their own
 * shape; `scale` enlarges the mark, whose middle is at 12, 12.35; `isSmall` makes it heavier.
 */
export const mark = (radius: number, scale: number, isSmall = false): string =>
  svg(
    `<rect width="24" height="24" rx="${radius}" fill="${BRAND_COLORS.ink}"/>` +
      `<g transform="translate(12 12) scale(${scale}) translate(-12 -12.35)">` +
      `${arcElements(isSmall ? SMALL_MARK : MARK, '#fff', BRAND_COLORS.landingOnDark)}</g>`,
  );

/** The mark as files, for people who write about the product. docs/brand.md names them. */
export const MARK_FILES = {
  'docs/brand/mark-on-light.svg': plainMark(BRAND_COLORS.ink, BRAND_COLORS.landing),
  'docs/brand/mark-on-dark.svg': plainMark('#fff', BRAND_COLORS.landingOnDark),
  'docs/brand/mark-one-color.svg': plainMark(BRAND_COLORS.ink, BRAND_COLORS.ink),
  'docs/brand/icon.svg': mark(5.5, 0.92),
  'web/public/favicon.svg': mark(5.5, 0.92, true),
};

export async function fontFace(family: string, file: string): Promise<string> {
  const bytes = await readFile(FONTS + file);
  return `@font-face{font-family:'${family}';font-weight:100 900;src:url(data:font/woff2;base64,${bytes.toString('base64')})}`;
}
