import type { ReactNode } from 'react';
import { formatNumber } from '#web/shared/format.ts';

export type RankedRow = { key: string; label: ReactNode; clicks: number };

/**
 * A list of rows with their clicks and their share of `total`, which includes rows that are not shown. The bar behind a label is
 * decorative and relative to the largest row.
 */
export function RankedList({ rows, total, empty }: { rows: RankedRow[]; total: number; empty: string }) {
  if (rows.length === 0) return <p className="py-6 text-center text-14 text-ink-3">{empty}</p>;
  const largest = Math.max(...rows.map((row) => row.clicks));
  return (
    <ol className="m-0 flex list-none flex-col gap-1 p-0">
      {rows.map((row) => (
        <li key={row.key} className="relative flex min-w-0 items-center gap-3 rounded-sm px-2 py-1.5 text-14">
          <svg
            aria-hidden="true"
            className="absolute inset-0 h-full w-full rounded-sm"
            preserveAspectRatio="none"
            viewBox="0 0 100 1"
          >
            <rect width={Math.max(1, (row.clicks / largest) * 100)} height="1" fill="var(--color-accent-soft)" />
          </svg>
          <span className="relative min-w-0 flex-1 truncate">{row.label}</span>
          <span className="relative tabular-nums text-ink-3">{Math.round((row.clicks / total) * 100)}%</span>
          <span className="relative min-w-10 text-right font-medium tabular-nums">{formatNumber(row.clicks)}</span>
        </li>
      ))}
    </ol>
  );
}
