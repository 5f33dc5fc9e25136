import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { formatShare } from '#web/features/analytics/metrics.ts';
import { formatNumber } from '#contract/language.ts';

/** `text` is what a search matches. `onChoose` is null for a row that cannot be a filter. */
export type RankedRow = {
  key: string;
  text: string;
  icon?: ReactNode;
  detail?: string;
  clicks: number;
  chosen: boolean;
  onChoose: (() => void) | null;
};

/**
 * A list of rows with their clicks and their share of `total`, which includes rows that are not
 * shown. Pressing a row filters the page. The bar behind a label is decorative, relative to the
 * largest row, and ends where the numbers begin.
 */
export function RankedList({
  rows,
  total,
  largest,
}: {
  rows: readonly RankedRow[];
  total: number;
  largest: number;
}) {
  return (
    // If some rows can be pressed, all rows are high enough for a finger.
    <ol className="group/rows m-0 grid list-none grid-cols-[minmax(0,1fr)_auto_auto] gap-y-0.5 p-0">
      {rows.map((row) => (
        <li key={row.key} className="col-span-full grid min-w-0 grid-cols-subgrid">
          <Row row={row} total={total} largest={largest} />
        </li>
      ))}
    </ol>
  );
}

const rowClass =
  'col-span-full grid h-8.5 min-w-0 grid-cols-subgrid items-center gap-x-3 rounded-sm text-start text-14 pointer-coarse:group-has-[button]/rows:h-11';

function Row({ row, total, largest }: { row: RankedRow; total: number; largest: number }) {
  const cells = (
    <>
      <span className="relative flex h-full min-w-0 items-center gap-2 px-2">
        <ClicksBar part={row.clicks / largest} />
        <span className="relative flex min-w-0 items-center gap-2">
          {row.icon}
          <span className="truncate" title={row.text}>
            <bdi>{row.text}</bdi>
            {row.detail !== undefined && <span className="text-ink-3"> {row.detail}</span>}
          </span>
        </span>
      </span>{' '}
      <span className="text-end text-13 text-ink-3 tabular-nums">
        {formatShare(row.clicks / total)}
      </span>{' '}
      <span className="pe-1 text-end font-medium tabular-nums">{formatNumber(row.clicks)}</span>
    </>
  );
  return row.onChoose === null ? (
    <div className={rowClass}>{cells}</div>
  ) : (
    <button
      type="button"
      aria-pressed={row.chosen}
      onClick={row.onChoose}
      title={row.chosen ? 'Remove the filter' : 'Filter the page'}
      className={clsx(rowClass, 'hover:bg-line/60 active:bg-line', row.chosen && 'font-medium')}
    >
      {cells}
    </button>
  );
}

/** The decorative bar behind a row. `part` is its length, 1 for the largest row. */
export const ClicksBar = ({ part }: { part: number }) => (
  <span
    aria-hidden="true"
    className="absolute inset-y-0 inset-s-0 rounded-sm bg-accent-soft [print-color-adjust:exact] forced-colors:top-auto forced-colors:h-0.5 forced-colors:bg-[Highlight]"
    style={{ width: `max(2px, ${part * 100}%)` }}
  />
);
