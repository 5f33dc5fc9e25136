import { pathOf, type QrDrawing, type QrMark } from './draw-qr.ts';
import { createCanvas, loadImage, toPng } from '#web/shared/page/canvas.ts';
import { styledQrSvg } from './qr-svg.ts';

/** The widths of PNG files in px. */
export const PNG_SIDES = [256, 512, 1024, 2048, 4096] as const;
/** The widths of PDF files in mm. */
export const PRINT_SIDES = [20, 30, 50, 100] as const;

export type ExportChoice =
  | { format: 'svg' }
  | { format: 'png'; px: number }
  | { format: 'pdf'; mm: number };

/** Returns a code's file and its file name extension. */
export async function exportQr(
  drawing: QrDrawing,
  choice: ExportChoice,
): Promise<{ blob: Blob; ending: string }> {
  if (choice.format === 'svg')
    return { blob: new Blob([styledQrSvg(drawing)], { type: 'image/svg+xml' }), ending: '.svg' };
  if (choice.format === 'png')
    return { blob: await qrPng(drawing, choice.px), ending: `-${choice.px}px.png` };
  const { qrPdf } = await import('./qr-pdf.ts');
  const logo = drawing.logo === null ? null : await readPixels(drawing.logo.source);
  return {
    blob: new Blob([await qrPdf(drawing, choice.mm, logo)], { type: 'application/pdf' }),
    ending: `-${choice.mm}mm.pdf`,
  };
}

async function qrPng(drawing: QrDrawing, px: number): Promise<Blob> {
  const { side, height, mark } = drawing;
  const { canvas, context } = createCanvas(px, Math.round((px * height) / side));
  context.scale(px / side, px / side);
  context.fillStyle = drawing.background;
  // The last row of pixels may be a fraction of a module higher.
  context.fillRect(0, 0, side, height + 1);
  context.fillStyle = drawing.foreground;
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array.
  context.fill(new Path2D(pathOf(drawing.steps)), 'evenodd');
  if (drawing.logo !== null) {
    const logo = drawing.logo;
    context.imageSmoothingQuality = 'high';
    context.drawImage(await loadImage(logo.source), logo.x, logo.y, logo.side, logo.side);
  }
  if (mark !== null) drawMark(context, mark, drawing.foreground);
  return toPng(canvas);
}

function drawMark(context: CanvasRenderingContext2D, mark: QrMark, color: string): void {
  context.lineWidth = mark.lineWidth;
  context.lineCap = 'round';
  context.strokeStyle = color;
  context.stroke(new Path2D(pathOf(mark.line)));
  for (const [steps, fill] of [
    [mark.start, color],
    [mark.landing, mark.landingColor],
  ] as const) {
    context.fillStyle = fill;
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array.
    context.fill(new Path2D(pathOf(steps)));
  }
}

async function readPixels(source: string): Promise<ImageData> {
  const image = await loadImage(source);
  const { context } = createCanvas(image.naturalWidth, image.naturalHeight);
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.naturalWidth, image.naturalHeight);
}
