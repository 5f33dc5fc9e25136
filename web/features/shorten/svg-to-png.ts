/** Wide enough to print. A code of at most 57 modules keeps 20 pixels and more for each. */
const PNG_SIZE = 1200;

/** Draws an image source (the API's SVG) as a square PNG of `size` pixels. Rejects where the browser cannot. */
export async function svgToPng(source: string, size: number = PNG_SIZE): Promise<Blob> {
  const image = new Image(size, size);
  image.src = source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This browser has no canvas.');
  pen.imageSmoothingEnabled = false;
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, size, size);
  pen.drawImage(image, 0, 0, size, size);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('The image could not be made.')) : resolve(blob)), 'image/png');
  });
}

/** Hands `blob` to the browser as a download named `name`. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
