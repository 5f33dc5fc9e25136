import { QR_LOGO_MAX_BYTES } from '#contract/limits.ts';
import { createCanvas, loadImage } from '#web/shared/page/canvas.ts';

export const LOGO_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/svg+xml',
];
const FILE_MAX_BYTES = 2 * 1024 * 1024;
/**
 * A logo covers up to 24 mm of a code of 100 mm, where 512 px are 540 dpi. At 64 px, every picture
 * is small enough to store.
 */
const SIDES_PX = [512, 384, 256, 192, 128, 96, 64];

export type LogoResult = { ok: true; logo: string } | { ok: false; message: string };

/**
 * Reads a picture from a file as a square PNG `data:` URL, as large as QR_LOGO_MAX_BYTES allows. It
 * is redrawn, which removes an SVG's scripts and a photo's place and time.
 */
export async function readLogo(file: File): Promise<LogoResult> {
  if (!LOGO_TYPES.includes(file.type))
    return { ok: false, message: 'Choose a PNG, JPEG, WebP or SVG image.' };
  if (file.size > FILE_MAX_BYTES)
    return { ok: false, message: 'The file is larger than 2 MB. Choose a smaller one.' };
  const url = URL.createObjectURL(file);
  try {
    const image = await loadImage(url);
    for (const side of SIDES_PX) {
      const source = drawSquare(image, side, file.type === 'image/svg+xml');
      if ((source.length * 3) / 4 < QR_LOGO_MAX_BYTES) return { ok: true, logo: source };
    }
  } catch {
    // The message below reports the failure.
  } finally {
    URL.revokeObjectURL(url);
  }
  return { ok: false, message: 'The browser could not read this image. Try another file.' };
}

/**
 * Draws the whole picture in the middle of a transparent square of `side` px. Only vector images
 * are enlarged.
 */
function drawSquare(image: HTMLImageElement, side: number, isVector: boolean): string {
  // In some browsers, an SVG without a size has a natural size of 0.
  const [width, height] = [image.naturalWidth || side, image.naturalHeight || side];
  const longest = Math.max(width, height);
  const square = isVector ? side : Math.min(side, longest);
  const scale = square / longest;
  const { canvas, context } = createCanvas(square, square);
  context.imageSmoothingQuality = 'high';
  context.drawImage(
    image,
    (square - width * scale) / 2,
    (square - height * scale) / 2,
    width * scale,
    height * scale,
  );
  return canvas.toDataURL('image/png');
}
