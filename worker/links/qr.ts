import QRCode from 'qrcode-svg';
import { scanUrl } from '#contract/codes/link-key.ts';
import { encodePng } from '#worker/http/png.ts';

/** Light modules around the symbol. The standard asks for four, and scanners need them. */
const QUIET_ZONE = 4;
/** The default width and height in px, for an `<img>` or a canvas. */
const SIDE_PX = 256;

/**
 * Draws the QR code of a short URL (at most about 2,300 characters) as an SVG image, black on white
 * in any theme because scanners need the contrast. The image has no text of the URL and no inline
 * styles, so any content security policy allows it. It takes no options, so nobody can restyle
 * another member's code at its public URL.
 */
export function qrSvg(shortUrl: string): string {
  const modules = modulesOf(shortUrl);
  const side = modules.length + 2 * QUIET_ZONE;
  const runs = modules.flatMap((row, y) =>
    darkRuns(row).map(
      ([x, length]) => `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h${length}v1h-${length}z`,
    ),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE_PX}" height="${SIDE_PX}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${runs.join('')}"/></svg>`
  );
}

/**
 * Draws the same image as a PNG of `size` by `size` px. All modules have the same whole number of
 * px, and the remaining px are margin.
 */
export function qrPng(shortUrl: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const modules = modulesOf(shortUrl);
  const scale = Math.max(1, Math.floor(size / (modules.length + 2 * QUIET_ZONE)));
  const margin = Math.floor((size - modules.length * scale) / 2);
  const stride = 1 + Math.ceil(size / 8);
  const lines = new Uint8Array(stride * size);
  modules.forEach((row, y) => {
    const top = (margin + y * scale) * stride;
    for (const [x, length] of darkRuns(row))
      for (let px = margin + x * scale; px < margin + (x + length) * scale; px += 1)
        lines[top + 1 + (px >> 3)] = (lines[top + 1 + (px >> 3)] ?? 0) | (0x80 >> (px & 7));
    for (let copy = 1; copy < scale; copy += 1)
      lines.copyWithin(top + copy * stride, top, top + stride);
  });
  return encodePng(size, size, ['ffffff', '000000'], lines);
}

const modulesOf = (shortUrl: string): boolean[][] =>
  new QRCode({ content: scanUrl(shortUrl), ecl: 'M' }).qrcode.modules;

export const qrDataUrl = (shortUrl: string): string =>
  `data:image/svg+xml;base64,${btoa(qrSvg(shortUrl))}`;

/** Returns start and length of each run of adjacent dark modules in a row. */
function darkRuns(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((dark, x) => {
    const last = runs.at(-1);
    if (!dark) return;
    if (last !== undefined && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}
