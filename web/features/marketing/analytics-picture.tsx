import type { ReactNode } from 'react';
import { formatNumber } from '#contract/language.ts';
import { Badge } from '#web/ui/badge.tsx';

const CITIES = [
  ['Bengaluru', 214],
  ['Berlin', 131],
  ['São Paulo', 96],
  ['Chennai', 58],
] as const;
const HOURS: readonly number[] = [
  4, 2, 1, 1, 2, 5, 14, 31, 52, 64, 58, 49, 61, 55, 47, 44, 50, 63, 78, 91, 84, 57, 26, 9,
];
const BUSIEST = Math.max(...HOURS);
const CLICKS = HOURS.reduce((sum, clicks) => sum + clicks, 0);
const BEFORE = 812;

/**
 * Shows what advanced analytics add, with invented data: a comparison, cities and hours.
 */
export function AnalyticsPicture() {
  return (
    <figure
      aria-label="Example of advanced analytics"
      className="rounded-lg border border-line bg-canvas p-4 text-13"
    >
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="text-ink-3">Clicks in 30 days</p>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-24 font-semibold tracking-tight tabular-nums">
              {formatNumber(CLICKS)}
            </span>{' '}
            <span className="text-good tabular-nums">
              +{Math.round((CLICKS / BEFORE - 1) * 100)}% on the 30 days before
            </span>
          </p>
        </div>
        <Badge>Example</Badge>
      </div>
      <div className="mt-4">
        <Part title="Cities">
          <Bars rows={CITIES} />
        </Part>
      </div>
      <div className="mt-4">
        <Part title="Hours">
          <p className="sr-only">Most clicks at {HOURS.indexOf(BUSIEST)}:00</p>
          <div
            dir="ltr"
            aria-hidden="true"
            className="flex h-12 items-end gap-0.5 border-b border-line"
          >
            {HOURS.map((clicks, hour) => (
              <span
                // oxlint-disable-next-line react/no-array-index-key -- the index is the hour.
                key={hour}
                className="flex-1 rounded-t-[2px] bg-chart-1 forced-colors:bg-[Highlight]"
                style={{ height: `${(clicks / BUSIEST) * 100}%` }}
              />
            ))}
          </div>
          <p
            dir="ltr"
            aria-hidden="true"
            className="mt-1 flex justify-between text-12 text-ink-3 tabular-nums"
          >
            <span>0:00</span> <span>12:00</span> <span>23:00</span>
          </p>
        </Part>
      </div>
    </figure>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0">
    <p className="mb-1.5 text-ink-3">{title}</p>
    {children}
  </div>
);

function Bars({ rows }: { rows: readonly (readonly [name: string, clicks: number])[] }) {
  const most = Math.max(...rows.map(([, clicks]) => clicks));
  return (
    <ul className="m-0 flex list-none flex-col gap-1 p-0">
      {rows.map(([name, clicks]) => (
        <li key={name} className="flex min-w-0 items-center gap-3">
          <span className="relative min-w-0 flex-1 px-2 py-0.5">
            <span
              aria-hidden="true"
              className="absolute inset-y-0 inset-s-0 rounded-sm bg-accent-soft forced-colors:top-auto forced-colors:h-0.5 forced-colors:bg-[Highlight]"
              style={{ width: `${(clicks / most) * 100}%` }}
            />
            <span className="relative block truncate">{name}</span>
          </span>{' '}
          <span className="tabular-nums">
            {formatNumber(clicks)}
            <span className="sr-only"> clicks</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
