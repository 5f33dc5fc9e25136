import { createCanvas, loadImage, toPng } from '#web/shared/page/canvas.ts';

/**
 * Pixels per side, large enough to print. A code of at most 57 modules gets at least 20 pixels per
 * module.
 */
const PNG_SIZE = 1200;

/**
 * Draws an SVG image source as a square white PNG. Rejects if the browser cannot decode or draw it.
 */
export async function svgToPng(source: string): Promise<Blob> {
  const image = await loadImage(source, PNG_SIZE);
  const { canvas, context } = createCanvas(PNG_SIZE, PNG_SIZE);
  context.imageSmoothingEnabled = false;
  context.fillStyle = 'white';
  context.fillRect(0, 0, PNG_SIZE, PNG_SIZE);
  context.drawImage(image, 0, 0, PNG_SIZE, PNG_SIZE);
  return toPng(canvas);
}
