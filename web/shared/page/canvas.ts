/**
 * Loads a picture. Scripts inside an SVG image do not run. Rejects if the browser cannot decode it.
 */
export async function loadImage(source: string, side?: number): Promise<HTMLImageElement> {
  const image = new Image(side, side);
  image.src = source;
  await image.decode();
  return image;
}

/** Creates a canvas of `width` by `height` px with its drawing context. */
export function createCanvas(
  width: number,
  height: number,
): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser has no 2D canvas.');
  return { canvas, context };
}

/** Rejects if the canvas is too large for the browser. */
export const toPng = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The canvas gave no image.')) : resolve(blob)),
      'image/png',
    );
  });
