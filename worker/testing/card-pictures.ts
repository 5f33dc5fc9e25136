import { cardInput } from '#contract/links/link-card.ts';

/** Files that begin like pictures of a size. Only their headers are read. */

const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));
const uint = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => (value >>> (8 * (bytes - 1 - at))) & 0xff);

export const pngOf = (width: number, height: number): number[] => [
  ...bytesOf('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  ...uint(width, 4),
  ...uint(height, 4),
  8,
  2,
];

/** With an APP1 segment before the frame header, as cameras write it. */
export const jpegOf = (width: number, height: number): number[] => [
  ...bytesOf('\xff\xd8\xff\xe1\0\x08Exif\0\0\xff\xc2\0\x11\x08'),
  ...uint(height, 2),
  ...uint(width, 2),
  3,
  0,
  0,
];

export const webpOf = (kind: ' ' | 'L' | 'X', width: number, height: number): number[] => {
  const little = (value: number, bytes: number) => uint(value, bytes).reverse();
  const head = [...bytesOf(`RIFF\0\0\0\0WEBPVP8${kind}`), 0, 0, 0, 0];
  if (kind === 'X') return [...head, 0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)];
  if (kind === 'L')
    return [...head, 0x2f, ...little(((height - 1) << 14) | (width - 1), 4), 0, 0, 0, 0, 0];
  return [...head, 0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)];
};

export const dataUrl = (type: string, bytes: readonly number[], padTo = 0): string => {
  const padded = [...bytes, ...Array<number>(Math.max(0, padTo - bytes.length)).fill(0)];
  return `data:${type};base64,${Buffer.from(padded).toString('base64')}`;
};

export const CARD_PICTURE = dataUrl('image/png', pngOf(1200, 630));

/** The input of the routes of cards. */
export const CARD_INPUTS = {
  'GET /api/links/:code/card': {},
  'PUT /api/links/:code/card': {
    body: {
      schema: cardInput,
      examples: [{ title: 'A title', description: 'A text.', image: CARD_PICTURE }],
    },
  },
  'DELETE /api/links/:code/card': {},
  'GET /api/card-pictures/:name': {},
};
