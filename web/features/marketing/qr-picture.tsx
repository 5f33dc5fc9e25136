import { MARK } from '#contract/pages/brand.ts';

/**
 * A real QR code of the text "Hop: a sample" with error correction H: one number in base 36 per row
 * and one bit per module, leftmost first.
 */
const ROWS =
  '8trk3j 4isdoh 6ha2xp 6hc40t 6gqlb1 4is01t 8tz2pr ht6o y1ki4 7wyi5k 8vjs0w 6jdhal 6qnbvy 74oar4 1h44bb 6xytb3 6sb5i0 7nql81 8phmtx 8nb9cu 7mob1s 15ic4 8u0kt0 4ig101 6h0xrk 6gwpds 6gqmu7 4igxvt 8tghr8'.split(
    ' ',
  );
const SIDE = ROWS.length;
const EYE = 7;
/** The modules in the middle that the logo covers, as far as H restores them. */
const HOLE = { from: 12, to: 16 };
const EYES = [
  [0, 0],
  [SIDE - EYE, 0],
  [0, SIDE - EYE],
] as const;

const isCovered = (x: number, y: number): boolean =>
  (x >= HOLE.from && x <= HOLE.to && y >= HOLE.from && y <= HOLE.to) ||
  EYES.some(([left, top]) => x >= left && x < left + EYE && y >= top && y < top + EYE);

/** A dot for each dark module: a line of no length with round ends. */
const DOTS = ROWS.map((row, y) =>
  Array.from(Number.parseInt(row, 36).toString(2).padStart(SIDE, '0'))
    .map((bit, x) => (bit === '1' && !isCovered(x, y) ? `M${x}.5 ${y}.5h0` : ''))
    .join(''),
).join('');

/** A code as the QR studio draws it: round modules and corners, and a logo in the middle. */
export const QrPicture = () => (
  <figure
    aria-label="Example of a designed QR code"
    className="flex flex-col items-center justify-center gap-3 rounded-lg border border-line bg-canvas p-4"
  >
    <svg
      aria-hidden="true"
      viewBox={`-2 -2 ${SIDE + 4} ${SIDE + 4}`}
      className="size-44 rounded-md bg-paper text-on-paper forced-color-adjust-none"
    >
      <path d={DOTS} stroke="currentColor" strokeWidth="0.92" strokeLinecap="round" />
      {EYES.map(([x, y]) => (
        <g key={`${x} ${y}`}>
          <rect
            x={x + 0.5}
            y={y + 0.5}
            width={EYE - 1}
            height={EYE - 1}
            rx="2"
            fill="none"
            stroke="currentColor"
          />
          <rect x={x + 2} y={y + 2} width="3" height="3" rx="1" fill="currentColor" />
        </g>
      ))}
      <svg x={HOLE.from} y={HOLE.from} width="5" height="5" viewBox={MARK.viewBox}>
        <path
          d={MARK.arc}
          fill="none"
          stroke="currentColor"
          strokeWidth={MARK.strokeWidth}
          strokeLinecap="round"
        />
        <circle cx={MARK.start.x} cy={MARK.start.y} r={MARK.start.radius} fill="currentColor" />
        <circle
          cx={MARK.landing.x}
          cy={MARK.landing.y}
          r={MARK.landing.radius}
          className="fill-landing"
        />
      </svg>
    </svg>
    <p className="flex gap-1.5 font-mono text-12 text-ink-2">
      {['PNG', 'PDF', 'SVG'].map((format) => (
        <span key={format} className="rounded-sm border border-line bg-surface px-1.5 py-0.5">
          {format}
        </span>
      ))}
    </p>
  </figure>
);
