import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { arcElements } from '#contract/arc-svg.ts';
import { BRAND_COLORS, MARK } from '#contract/brand.ts';

const FONTS = fileURLToPath(new URL('../../node_modules/@fontsource-variable/', import.meta.url));

/**
 * Returns the mark on its dark square. `radius` 0 fills the square for systems that cut their own
 * shape; `scale` is the mark's share of it.
 */
export const mark = (
  radius: number,
  scale: number,
): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
  <rect width="24" height="24" rx="${radius}" fill="${BRAND_COLORS.ink}"/>
  <g transform="translate(12 12) scale(${scale}) translate(-12 -12)">
    ${arcElements(MARK, '#fff', BRAND_COLORS.landingOnDark)}
  </g>
</svg>
`;

export async function fontFace(family: string, file: string): Promise<string> {
  const bytes = await readFile(FONTS + file);
  return `@font-face{font-family:'${family}';font-weight:100 900;src:url(data:font/woff2;base64,${bytes.toString('base64')})}`;
}
