import { CARD_PICTURE_TYPES, type CardPictureType } from '#contract/links/link-card.ts';
import { CARD_HEIGHT, CARD_PICTURE_MAX_BYTES, CARD_WIDTH } from '#contract/limits.ts';

/**
 * Pictures of cards are objects of the bucket below this prefix, which nothing else uses. They are
 * named after their content, so that an address never shows another picture.
 */
const PREFIX = 'cards/';
const NAME = /^[0-9a-f]{64}\.(jpg|png|webp)$/;

export type CardPicture = { name: string; type: CardPictureType; bytes: Uint8Array };
type Bucket = Pick<Env, 'BACKUPS'>;

/** Reads a picture from a `data:` URL. Null unless it is of its type and of the size of cards. */
export async function readPicture(url: string): Promise<CardPicture | null> {
  const [, type, base64 = ''] = /^data:([a-z/]+);base64,([^]*)$/.exec(url) ?? [];
  if (!isPictureType(type)) return null;
  const bytes = decode(base64);
  if (bytes === null || bytes.length > CARD_PICTURE_MAX_BYTES) return null;
  const size = SIZE_OF[type](bytes);
  if (size === null || size[0] !== CARD_WIDTH || size[1] !== CARD_HEIGHT) return null;
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  return { name: `${hash}.${CARD_PICTURE_TYPES[type]}`, type, bytes };
}

const isPictureType = (type: string | undefined): type is CardPictureType =>
  type !== undefined && Object.hasOwn(CARD_PICTURE_TYPES, type);

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

type Size = [width: number, height: number] | null;

/** The size that a file's header states; null if the file is of another type. */
const SIZE_OF: Readonly<Record<CardPictureType, (bytes: Uint8Array<ArrayBuffer>) => Size>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Array.from(text).every((character, index) => bytes[at + index] === character.charCodeAt(0));

/** https://www.w3.org/TR/png-3/#11IHDR */
function pngSize(bytes: Uint8Array<ArrayBuffer>): Size {
  if (bytes.length < 24 || !startsWith(bytes, '\x89PNG\r\n\x1a\n\0\0\0\rIHDR')) return null;
  const view = new DataView(bytes.buffer);
  return [view.getUint32(16), view.getUint32(20)];
}

/** Walks over the segments before the frame header (ITU-T T.81, annex B). */
function jpegSize(bytes: Uint8Array<ArrayBuffer>): Size {
  if (!startsWith(bytes, '\xff\xd8\xff')) return null;
  const view = new DataView(bytes.buffer);
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // All start-of-frame markers; c4, c8 and cc are other segments.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** RFC 9649: a picture has a chunk `VP8 `, `VP8L` or `VP8X` with its size. */
function webpSize(bytes: Uint8Array<ArrayBuffer>): Size {
  if (bytes.length < 30 || !startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBPVP8', 8))
    return null;
  const view = new DataView(bytes.buffer);
  if (startsWith(bytes, ' ', 15))
    return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (startsWith(bytes, 'L', 15)) {
    const bits = view.getUint32(21, true);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (!startsWith(bytes, 'X', 15)) return null;
  const uint24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  return [uint24(24) + 1, uint24(27) + 1];
}

export const storePicture = async ({ BACKUPS }: Bucket, { name, type, bytes }: CardPicture) =>
  BACKUPS.put(PREFIX + name, bytes, { httpMetadata: { contentType: type } });

/** Returns the object of a picture; null for an unknown one, and for any other object. */
export const findPicture = async ({ BACKUPS }: Bucket, name: string) =>
  NAME.test(name) ? BACKUPS.get(PREFIX + name) : null;

export const hasPicture = async ({ BACKUPS }: Bucket, name: string): Promise<boolean> =>
  (await BACKUPS.head(PREFIX + name)) !== null;

/** Up to `limit` pictures in the order of their names, and when each was uploaded. */
export async function listPictures(
  { BACKUPS }: Bucket,
  after: string,
  limit: number,
): Promise<{ name: string; uploaded: number }[]> {
  const { objects } = await BACKUPS.list({ prefix: PREFIX, startAfter: PREFIX + after, limit });
  return objects.map(({ key, uploaded }) => ({
    name: key.slice(PREFIX.length),
    uploaded: uploaded.getTime(),
  }));
}

export const deletePictures = async (
  { BACKUPS }: Bucket,
  names: readonly string[],
): Promise<void> => BACKUPS.delete(names.map((name) => PREFIX + name));
