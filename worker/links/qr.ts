import QRCode from 'qrcode-svg';

/** Light modules around the symbol: the standard asks for four, and scanners do need them. */
const QUIET = 4;
/** Width of the image in px where nobody says otherwise: as an `<img>`, or drawn on a canvas. */
const SIDE = 256;

/**
 * A QR code of `text` (1 to about 2,300 characters) as an SVG image: black on white in any theme, since scanners want contrast.
 * Drawn from the symbol's matrix and nothing else: no markup of `text`, no inline style, so that any content policy shows it.
 */
export function qrSvg(text: string): string {
  const { modules } = new QRCode({ content: text, ecl: 'M' }).qrcode;
  const side = modules.length + 2 * QUIET;
  const runs = modules.flatMap((row, y) =>
    darkRuns(row).map(([x, length]) => `M${x + QUIET} ${y + QUIET}h${length}v1h-${length}z`),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${runs.join('')}"/></svg>`
  );
}

/** The same as an image source for the page. */
export const qrDataUrl = (text: string): string => `data:image/svg+xml;base64,${btoa(qrSvg(text))}`;

/** Where dark modules stand side by side: start and length of each run. */
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
