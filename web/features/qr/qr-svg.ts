import { pathOf, type QrDrawing } from './draw-qr.ts';

const SIDE_PX = 1024;

/**
 * Returns the code as a self-contained SVG file. Colors and logo come from the contract and contain
 * no characters to escape.
 */
export function styledQrSvg(drawing: QrDrawing): string {
  const { side, background, foreground, logo } = drawing;
  const image =
    logo === null
      ? ''
      : `<image x="${logo.x}" y="${logo.y}" width="${logo.side}" height="${logo.side}" href="${logo.source}"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE_PX}" height="${SIDE_PX}" viewBox="0 0 ${side} ${side}">` +
    `<path fill="${background}" d="M0 0h${side}v${side}H0z"/>` +
    `<path fill="${foreground}" fill-rule="evenodd" d="${pathOf(drawing.steps)}"/>${image}</svg>`
  );
}
