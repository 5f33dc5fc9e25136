/**
 * The path of the built fonts. It contains the version of the font packages instead of a hash, so
 * that pages rendered by the Worker can name it. Browsers keep files under /assets for a year.
 */
export const FONTS_VERSION = '5.3.0';
export const SANS_FONT_PATH = `/assets/geist-latin-wght-normal-${FONTS_VERSION}.woff2`;
export const MONO_FONT_PATH = `/assets/geist-mono-latin-wght-normal-${FONTS_VERSION}.woff2`;
