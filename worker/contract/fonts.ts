/**
 * Where the build puts the fonts. The names have no hash, so that the pages that the Worker writes
 * can name them too. They have the version of the font packages instead, because browsers keep a
 * file under /assets for a year.
 */
export const FONTS_VERSION = '5.3.0';
export const SANS_FONT_PATH = `/assets/geist-latin-wght-normal-${FONTS_VERSION}.woff2`;
export const MONO_FONT_PATH = `/assets/geist-mono-latin-wght-normal-${FONTS_VERSION}.woff2`;
