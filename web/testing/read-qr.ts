import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const fileOf = (specifier: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(createRequire(import.meta.url).resolve(specifier)));

let loading: Promise<void> | null = null;

/**
 * Loads the renderer and the reader, which are independent of the code that draws QR codes. The
 * renderer can be loaded once in a process.
 */
export const loadQrReader = (): Promise<void> => (loading ??= load());

async function load(): Promise<void> {
  await initWasm(fileOf('@resvg/resvg-wasm/index_bg.wasm'));
  const wasmBinary = fileOf('zxing-wasm/reader/zxing_reader.wasm').buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

/**
 * Returns the texts of the QR codes in an SVG file that is drawn on white, `px` wide and rotated by
 * `degrees`.
 */
export async function readQr(svg: string, px: number, degrees = 0): Promise<string[]> {
  const code = svg.replace(/ width="\d+" height="\d+"/, ` width="${px}" height="${px}"`);
  const side = Math.ceil(px * (degrees === 0 ? 1 : Math.SQRT2));
  const start = (side - px) / 2;
  const page =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="${side}" height="${side}" fill="#fff"/>` +
    `<g transform="rotate(${degrees} ${side / 2} ${side / 2}) translate(${start} ${start})">${code}</g></svg>`;
  return readQrImage(new Resvg(page).render().asPng());
}

export async function readQrImage(png: Uint8Array): Promise<string[]> {
  const found = await readBarcodes(new Uint8Array(png), { formats: ['QRCode'] });
  return found.map(({ text }) => text);
}
