import { pathOf, type QrDrawing } from './draw-qr.ts';

const SIDE_PX = 1024;

/**
 * Returns the code as a self-contained SVG file. Colors and logo come from the contract and contain
 * no characters to escape.
 */
export function styledQrSvg(drawing: QrDrawing): string {
  const { side, height, background, foreground, logo, mark } = drawing;
  const image =
    logo === null
      ? ''
      : `<image x="${logo.x}" y="${logo.y}" width="${logo.side}" height="${logo.side}" href="${logo.source}"/>`;
  const below =
    mark === null
      ? ''
      : `<path fill="none" stroke="${foreground}" stroke-width="${mark.lineWidth}" stroke-linecap="round" d="${pathOf(mark.line)}"/>` +
        `<path fill="${foreground}" d="${pathOf(mark.start)}"/><path fill="${mark.landingColor}" d="${pathOf(mark.landing)}"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE_PX}" height="${Math.round((SIDE_PX * height) / side)}" viewBox="0 0 ${side} ${height}">` +
    `<path fill="${background}" d="M0 0h${side}v${height}H0z"/>` +
    `<path fill="${foreground}" fill-rule="evenodd" d="${pathOf(drawing.steps)}"/>${image}${below}</svg>`
  );
}
