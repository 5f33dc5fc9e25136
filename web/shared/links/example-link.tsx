/** The invented link of the examples on Home. */
export const EXAMPLE = {
  code: 'spring-sale',
  target: 'https://shop.example/c/2026/spring/tea?ref=poster',
  /** Clicks on each of the last days, and those that came from its QR code. */
  days: [31, 42, 38, 57, 49, 66, 71, 64, 83, 78, 96, 88, 104, 91],
  scans: [4, 6, 5, 11, 9, 14, 17, 13, 21, 18, 26, 22, 31, 27],
} as const;

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, one) => total + one, 0);

/**
 * A real QR code of the text "Hop example": one number in base 36 per row and one bit per module,
 * leftmost first.
 */
const QR_ROWS =
  '18pz3 mw5d wrx9 wqjh wp5p mukh 18prz 5j4 t8ed kpk7 17gob 26ti 10dgl 22n 18nyk mxi2 wqfh wpqv wshw mtys 18r51'.split(
    ' ',
  );
const QR_PATH = QR_ROWS.map((row, y) =>
  Array.from(Number.parseInt(row, 36).toString(2).padStart(QR_ROWS.length, '0'))
    .map((bit, x) => (bit === '1' ? `M${x} ${y}h1v1h-1z` : ''))
    .join(''),
).join('');

/** Its QR code, dark on light in both schemes, as cameras need it. */
export const ExampleQr = ({ className }: { className: string }) => (
  <svg
    viewBox="-2 -2 25 25"
    shapeRendering="crispEdges"
    aria-hidden="true"
    className={`shrink-0 bg-paper text-on-paper forced-color-adjust-none ${className}`}
  >
    <path d={QR_PATH} fill="currentColor" />
  </svg>
);
