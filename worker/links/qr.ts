import QRCode from 'qrcode-svg';

/** Light modules around the symbol. The standard asks for four, and scanners need them. */
const QUIET_ZONE = 4;
/** The image's default width and height in px, as an `<img>` or drawn on a canvas. */
const SIDE_PX = 256;

/**
 * A QR code of `text` (1 to about 2,300 characters) as an SVG image, black on white in any theme because scanners need the
 * contrast. It is drawn from the symbol's modules alone, without markup of `text` or inline styles, so that any content
 * policy allows it.
 */
export function qrSvg(text: string): string {
  const { modules } = new QRCode({ content: text, ecl: 'M' }).qrcode;
  const side = modules.length + 2 * QUIET_ZONE;
  const runs = modules.flatMap((row, y) =>
    darkRuns(row).map(([x, length]) => `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h${length}v1h-${length}z`),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE_PX}" height="${SIDE_PX}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${runs.join('')}"/></svg>`
  );
}

/** The same image as a `data:` URL. */
export const qrDataUrl = (text: string): string => `data:image/svg+xml;base64,${btoa(qrSvg(text))}`;

/** The runs of adjacent dark modules in a row: start and length of each. */
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
