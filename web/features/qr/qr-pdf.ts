import type { QrDrawing, Step } from './draw-qr.ts';

const POINTS_PER_MM = 72 / 25.4;
const encoder = new TextEncoder();

/** The pixels of a picture, each as red, green, blue and alpha. */
export type Pixels = { width: number; height: number; data: Uint8ClampedArray };

/**
 * Returns a PDF file (ISO 32000-1) with the code as its only page, `sideMm` mm wide. Everything
 * except the logo is a path, so that it prints at the printer's resolution. `logo` has the pixels
 * of the drawing's logo.
 */
export async function qrPdf(
  drawing: QrDrawing,
  sideMm: number,
  logo: Pixels | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const scale = (sideMm * POINTS_PER_MM) / drawing.side;
  const [width, height] = [drawing.side, drawing.height].map((size) => decimal(size * scale));
  const images = logo === null ? [] : [await imageObject(logo), await maskObject(logo)];
  const resources = logo === null ? '' : '/XObject<</Logo 5 0 R>>';
  return joinObjects([
    encoder.encode('<</Type/Catalog/Pages 2 0 R>>'),
    encoder.encode('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    encoder.encode(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<<${resources}>>/Contents 4 0 R>>`,
    ),
    await streamObject('', encoder.encode(contentOf(drawing, scale))),
    ...images,
  ]);
}

/** Returns the page's operators. PDF's y axis points up, so the drawing is flipped. */
function contentOf(drawing: QrDrawing, scale: number): string {
  const { side, height, foreground, background, logo, mark, steps } = drawing;
  const picture =
    logo === null
      ? ''
      : `q ${decimal(logo.side)} 0 0 ${decimal(-logo.side)} ${decimal(logo.x)} ${decimal(logo.y + logo.side)} cm /Logo Do Q\n`;
  const below =
    mark === null
      ? ''
      : `${colorOf(foreground)} RG ${decimal(mark.lineWidth)} w 1 J\n${operatorsOf(mark.line)}\nS\n` +
        `${operatorsOf(mark.start)}\nf\n${fillColor(mark.landingColor)}\n${operatorsOf(mark.landing)}\nf\n`;
  return (
    `${decimal(scale)} 0 0 ${decimal(-scale)} 0 ${decimal(height * scale)} cm\n` +
    `${fillColor(background)} 0 0 ${side} ${height} re f\n${fillColor(foreground)}\n${operatorsOf(steps)}\nf*\n${picture}${below}`
  );
}

const operatorsOf = (steps: readonly Step[]): string =>
  steps
    .map(([command, ...values]) => [...values.map(decimal), OPERATORS[command]].join(' '))
    .join('\n');

const OPERATORS = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const;
/** PDF numbers have no exponents. */
const decimal = (value: number): string => String(Number(value.toFixed(5)));
const colorOf = (hex: string): string =>
  [1, 3, 5].map((at) => decimal(Number.parseInt(hex.slice(at, at + 2), 16) / 255)).join(' ');
const fillColor = (hex: string): string => `${colorOf(hex)} rg`;

function imageObject({ width, height, data }: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  const colors = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i += 1) colors.set(data.subarray(i * 4, i * 4 + 3), i * 3);
  return streamObject(`${imageEntries(width, height)}/ColorSpace/DeviceRGB/SMask 6 0 R`, colors);
}

function maskObject({ width, height, data }: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  const alpha = Uint8Array.from({ length: width * height }, (_, i) => data[i * 4 + 3] ?? 0);
  return streamObject(`${imageEntries(width, height)}/ColorSpace/DeviceGray`, alpha);
}

const imageEntries = (width: number, height: number): string =>
  `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8`;

async function streamObject(
  entries: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  // 'deflate' is the zlib format, which PDF requires.
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  return joined([
    encoder.encode(`<<${entries}/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`),
    packed,
    encoder.encode('\nendstream'),
  ]);
}

/** Joins a header, the objects with the numbers 1, 2, …, and a table of their offsets. */
function joinObjects(objects: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  // Bytes above 127 in the second line make programs treat the file as binary.
  const parts: Uint8Array[] = [encoder.encode('%PDF-1.4\n%\u00e9\u00e9\u00e9\u00e9\n')];
  const starts: number[] = [];
  for (const [i, object] of objects.entries()) {
    starts.push(lengthOf(parts));
    parts.push(encoder.encode(`${i + 1} 0 obj\n`), object, encoder.encode('\nendobj\n'));
  }
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  parts.push(
    encoder.encode(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${lengthOf(parts)}\n%%EOF\n`,
    ),
  );
  return joined(parts);
}

const lengthOf = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, part) => sum + part.length, 0);

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
