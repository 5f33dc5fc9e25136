/**
 * Pixels per side, large enough to print. A code of at most 57 modules gets at least 20 pixels per
 * module.
 */
const PNG_SIZE = 1200;

/**
 * Draws an SVG image source as a square white PNG. Rejects if the browser cannot decode or draw it.
 */
export async function svgToPng(source: string): Promise<Blob> {
  const image = new Image(PNG_SIZE, PNG_SIZE);
  image.src = source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = PNG_SIZE;
  canvas.height = PNG_SIZE;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser has no 2D canvas.');
  context.imageSmoothingEnabled = false;
  context.fillStyle = 'white';
  context.fillRect(0, 0, PNG_SIZE, PNG_SIZE);
  context.drawImage(image, 0, 0, PNG_SIZE, PNG_SIZE);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The canvas gave no image.')) : resolve(blob)),
      'image/png',
    );
  });
}
