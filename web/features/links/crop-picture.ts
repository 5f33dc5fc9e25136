import { CARD_HEIGHT, CARD_PICTURE_MAX_BYTES, CARD_WIDTH } from '#contract/limits.ts';
import { createCanvas } from '#web/shared/page/canvas.ts';

/** From good to small. Even noise has less than 300 KB at the last one. */
const QUALITIES = [0.92, 0.85, 0.75, 0.6, 0.4, 0.2] as const;

/**
 * Draws the part of a picture that a card shows, as a JPEG of a `data:` URL. Drawing it again leaves
 * its metadata behind, such as the place where it was taken. `position` from 0 to 1 moves the part
 * along the side that is too long.
 */
export function cropPicture(picture: ImageBitmap, position: number): string {
  const { canvas, context } = createCanvas(CARD_WIDTH, CARD_HEIGHT);
  const scale = scaleOf(picture);
  const [width, height] = [picture.width * scale, picture.height * scale];
  context.fillStyle = 'white';
  context.fillRect(0, 0, CARD_WIDTH, CARD_HEIGHT);
  context.imageSmoothingQuality = 'high';
  const [x, y] = [(CARD_WIDTH - width) * position, (CARD_HEIGHT - height) * position];
  context.drawImage(picture, x, y, width, height);
  let url = '';
  for (const quality of QUALITIES) {
    url = canvas.toDataURL('image/jpeg', quality);
    if (bytesOf(url) <= CARD_PICTURE_MAX_BYTES) break;
  }
  return url;
}

const bytesOf = (url: string): number => ((url.length - url.indexOf(',') - 1) * 3) / 4;

const scaleOf = ({ width, height }: ImageBitmap): number =>
  Math.max(CARD_WIDTH / width, CARD_HEIGHT / height);

/** True for a picture that is much smaller than a card. */
export const isBlurred = (picture: ImageBitmap): boolean => scaleOf(picture) > 1.5;

/** How the part of a picture that a card shows can be moved. */
export function slackOf(picture: ImageBitmap): 'none' | 'across' | 'down' {
  const scale = scaleOf(picture);
  if (picture.width * scale - CARD_WIDTH > 1) return 'across';
  return picture.height * scale - CARD_HEIGHT > 1 ? 'down' : 'none';
}
