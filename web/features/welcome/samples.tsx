import { formatNumber } from '#web/shared/format.ts';
import { shortHost } from '#web/shared/config.ts';

/** Names with their clicks, and a bar relative to the largest, as on the analytics page. Narrow screens show the first five. */
export function RankedSample({ rows }: { rows: readonly (readonly [name: string, clicks: number])[] }) {
  const most = Math.max(...rows.map(([, clicks]) => clicks));
  return (
    <ol className="flex flex-1 flex-col gap-1 text-14">
      {rows.map(([name, clicks]) => (
        <li key={name} className="flex flex-1 items-center gap-3 max-lg:nth-[n+6]:hidden">
          <span className="relative flex min-w-0 flex-1 items-center self-stretch px-2 py-1">
            <span
              aria-hidden="true"
              className="absolute inset-y-0 inset-s-0 rounded-sm bg-accent-soft forced-colors:top-auto forced-colors:h-0.5 forced-colors:bg-[Highlight]"
              style={{ width: `${(clicks / most) * 100}%` }}
            />
            <span className="relative block truncate">{name}</span>
          </span>{' '}
          <span className="font-medium tabular-nums">{formatNumber(clicks)}</span>
        </li>
      ))}
    </ol>
  );
}

export function AliasSample() {
  return (
    <span
      dir="ltr"
      className="flex max-w-full items-stretch overflow-hidden rounded-md border border-line-strong bg-surface font-mono text-12 sm:text-14"
    >
      <span className="border-e border-line bg-sunken px-1.5 py-2 [overflow-wrap:anywhere] text-ink-3 sm:px-2.5">
        {shortHost()}/
      </span>
      <span className="px-1.5 py-2 whitespace-nowrap sm:px-2.5">
        spring-sale
        <span className="ms-px inline-block h-4 w-px translate-y-0.5 bg-accent" />
      </span>
    </span>
  );
}

export function PreviewSample() {
  return (
    <span dir="ltr" className="flex max-w-full flex-wrap justify-center font-mono text-13 sm:text-16">
      <span className="[overflow-wrap:anywhere] text-ink-3">{shortHost()}</span>
      <span className="shrink-0">
        <span className="text-ink-3">/</span>spring-sale
        <span className="ms-0.5 rounded-sm bg-accent-soft px-1 font-medium text-accent">+</span>
      </span>
    </span>
  );
}

/** A real QR code, of the text "Hop example": one number in base 36 per row, one bit per module, the leftmost one first. */
const QR_ROWS =
  '18pz3 mw5d wrx9 wqjh wp5p mukh 18prz 5j4 t8ed kpk7 17gob 26ti 10dgl 22n 18nyk mxi2 wqfh wpqv wshw mtys 18r51'.split(' ');
const QR_PATH = QR_ROWS.map((row, y) =>
  Array.from(Number.parseInt(row, 36).toString(2).padStart(QR_ROWS.length, '0'))
    .map((bit, x) => (bit === '1' ? `M${x} ${y}h1v1h-1z` : ''))
    .join(''),
).join('');

export function QrSample() {
  return (
    <svg
      viewBox="-2 -2 25 25"
      aria-hidden="true"
      className="size-28 shrink-0 rounded-md border border-line bg-paper lg:size-64"
      shapeRendering="crispEdges"
    >
      <path d={QR_PATH} className="fill-on-paper" />
    </svg>
  );
}
