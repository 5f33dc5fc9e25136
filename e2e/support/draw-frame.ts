/**
 * Functions that run in the browser, on a page of their own. They see only their arguments, the
 * window and what `startDrawing` has left there.
 */

type Point = { x: number; y: number };
type Drawing = {
  context: CanvasRenderingContext2D;
  part: HTMLCanvasElement;
  pageHeight: number;
  before: Uint32Array;
};
/** The changed part of a picture, as a base64 WebP image. */
type Drawn = { webp: string; x: number; y: number; width: number; height: number };

declare global {
  interface Window {
    drawing?: Drawing;
  }
}

/** Makes the canvas on which frames are drawn. */
export async function startDrawing(film: {
  width: number;
  height: number;
  pageHeight: number;
  isDark: boolean;
  font: string;
}): Promise<void> {
  const { width, height, pageHeight, isDark, font } = film;
  const face = new FontFace('Film', `url(data:font/woff2;base64,${font})`, { weight: '100 900' });
  document.fonts.add(await face.load());
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (context === null) throw new Error('This browser has no canvas.');
  // The caption has the opposite scheme, so that it does not look like a part of the page.
  context.fillStyle = isDark ? '#f4f4f1' : '#17181d';
  context.fillRect(0, 0, width, height);
  window.drawing = {
    context,
    part: document.createElement('canvas'),
    pageHeight,
    before: new Uint32Array(width * height),
  };
}

/** Draws a frame, and returns the part that differs from the one before; null if nothing does. */
export async function drawFrame(frame: {
  picture: string;
  pointer: Point;
  caption: string;
}): Promise<Drawn | null> {
  const { drawing } = window;
  if (drawing === undefined) throw new Error('startDrawing has not run.');
  const { context, part, pageHeight } = drawing;
  const { width, height } = context.canvas;
  const bytes = Uint8Array.from(atob(frame.picture), (letter) => letter.charCodeAt(0));
  const background = context.fillStyle;
  context.fillRect(0, pageHeight, width, height - pageHeight);
  context.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);

  context.fillStyle = background === '#17181d' ? '#f4f4f1' : '#17181d';
  context.font = '500 22px Film';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(frame.caption, width / 2, (pageHeight + height) / 2);

  const arrow = new Path2D('M0 0V17L4 13.5L6.8 19.6L9.6 18.3L6.9 12.4H12Z');
  const { x, y } = frame.pointer;
  context.setTransform(1.3, 0, 0, 1.3, Math.round(x), Math.round(y));
  context.fillStyle = '#17181d';
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- it is not an array
  context.fill(arrow);
  context.strokeStyle = '#ffffff';
  context.lineWidth = 1.3;
  context.stroke(arrow);
  context.resetTransform();
  context.fillStyle = background;

  const now = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  const { before } = drawing;
  drawing.before = now;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; at < now.length; at += 1) {
    if (now[at] === before[at]) continue;
    const [column, row] = [at % width, Math.floor(at / width)];
    left = Math.min(left, column);
    right = Math.max(right, column + 1);
    top = Math.min(top, row);
    bottom = Math.max(bottom, row + 1);
  }
  if (right <= left) return null;
  left -= left % 2;
  top -= top % 2;
  Object.assign(part, { width: right - left, height: bottom - top });
  part.getContext('2d', { alpha: false })?.drawImage(context.canvas, -left, -top);
  // 1 is lossless, which is smallest for text on plain colors.
  const [, webp = ''] = part.toDataURL('image/webp', 1).split(',');
  return { webp, x: left, y: top, width: right - left, height: bottom - top };
}
