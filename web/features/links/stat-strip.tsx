import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Skeleton } from '#web/ui/skeleton.tsx';

export type StripItem = { label: string; value: string | null; note: string };

/**
 * Four numbers in one strip of at most 56 px, after `lead`, which is above them in narrow windows.
 * A null value is still loading. Phones show the meanings to screen readers only, and `meaning`
 * below the numbers. `quiet` dims numbers that are all 0.
 */
export function StatStrip({
  lead,
  items,
  meaning,
  quiet = false,
}: {
  lead: ReactNode;
  items: readonly StripItem[];
  meaning: string;
  quiet?: boolean;
}) {
  return (
    <div data-strip="" className="rounded-lg border border-line bg-surface lg:flex">
      {lead !== null && (
        <div className="min-w-0 border-line max-lg:border-b lg:w-92 lg:shrink-0 lg:border-e">
          {lead}
        </div>
      )}
      <dl
        aria-busy={items.some(({ value }) => value === null)}
        className="grid min-h-11 flex-1 max-sm:grid-cols-[repeat(4,auto)] sm:min-h-13 sm:grid-cols-4"
      >
        {items.map(({ label, value, note }) => (
          <div
            key={label}
            className="flex min-w-0 flex-wrap content-center items-baseline justify-between gap-x-2 border-line px-1.5 not-first:border-s first:ps-3 sm:px-3 sm:first:ps-4 lg:first:ps-3"
          >
            <dt className="text-ink-2 max-sm:w-full max-sm:text-12 max-sm:whitespace-nowrap sm:text-13">
              {label}
            </dt>
            <dd
              className={clsx(
                'text-14 tabular-nums',
                quiet ? 'text-ink-3' : 'font-semibold text-ink',
              )}
            >
              {value ?? <Skeleton className="h-3.5 w-10" />}
            </dd>
            <dd className="w-full truncate text-12 text-ink-3 max-sm:sr-only">{note}</dd>
          </div>
        ))}
      </dl>
      {!quiet && (
        <p
          aria-hidden="true"
          className="border-t border-line px-3 py-1 text-12 text-ink-3 sm:hidden"
        >
          {meaning}
        </p>
      )}
    </div>
  );
}
