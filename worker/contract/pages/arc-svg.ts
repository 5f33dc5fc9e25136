import type { ArcShape } from './brand.ts';

/**
 * The SVG elements of an arc, for pages, mails and files that are written as text. `line` colors
 * the link and the arc, `landing` the destination: CSS colors, `currentColor` or `var(--name)`.
 */
export function arcElements(shape: ArcShape, line: string, landing: string): string {
  const dot = ({ x, y, radius }: ArcShape['start'], color: string): string =>
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="${color}"/>`;
  const end = shape.landing === null ? '' : dot(shape.landing, landing);
  return `<path d="${shape.arc}" fill="none" stroke="${line}" stroke-width="${shape.strokeWidth}" stroke-linecap="round"/>${dot(shape.start, line)}${end}`;
}
