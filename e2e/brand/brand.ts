import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const FONTS = fileURLToPath(new URL('../../node_modules/@fontsource-variable/', import.meta.url));

/** The logo as web/ui/logo.tsx draws it, on its 24-unit grid. */
export const hop = (line: string, end: string): string => `
  <path d="M4.5 16.5C5.5 9 9 5.5 12 5.5s6.5 3.5 7.5 11" fill="none" stroke="${line}" stroke-width="2.5" stroke-linecap="round"/>
  <circle cx="4.5" cy="18" r="2.25" fill="${line}"/>
  <circle cx="19.5" cy="18" r="2.25" fill="${end}"/>`;

/**
 * Returns the mark on its dark square. `radius` 0 fills the square for systems that cut their own
 * shape; `scale` is the mark's share of it.
 */
export const mark = (
  radius: number,
  scale: number,
): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
  <rect width="24" height="24" rx="${radius}" fill="#17181d"/>
  <g transform="translate(12 12) scale(${scale}) translate(-12 -12)">${hop('#fff', '#6c9cff')}
  </g>
</svg>
`;

export async function fontFace(family: string, file: string): Promise<string> {
  const bytes = await readFile(FONTS + file);
  return `@font-face{font-family:'${family}';font-weight:100 900;src:url(data:font/woff2;base64,${bytes.toString('base64')})}`;
}
