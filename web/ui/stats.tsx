import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';

export type StatItem = {
  label: string;
  value: ReactNode;
  change?: ReactNode;
  /** The meaning of the number. It is always visible, because phones have no tooltips. */
  note?: ReactNode;
};

/**
 * Longer values are smaller on phones, so that '1,234,567,890' fits half of the narrowest screen.
 */
const LARGE_MAX = 9;

/**
 * Up to four numbers side by side in a card, two by two on a phone. A null value is still loading.
 */
export function Stats({ items }: { items: readonly StatItem[] }) {
  return (
    <dl
      aria-busy={items.some(({ value }) => value === null)}
      className="grid grid-cols-2 rounded-lg border border-line bg-surface lg:grid-cols-4"
    >
      {items.map((item) => (
        <div
          key={item.label}
          className="min-w-0 border-line px-4 py-4 even:border-s sm:px-5 max-lg:nth-[n+3]:border-t lg:not-first:border-s"
        >
          <dt className="text-13 text-ink-3">{item.label}</dt>
          <dd
            className={clsx(
              'mt-1 truncate text-24 font-semibold tracking-tight tabular-nums',
              typeof item.value === 'string' &&
                item.value.length > LARGE_MAX &&
                'max-sm:text-16 max-sm:leading-8 max-[22rem]:text-14 max-[22rem]:leading-8',
            )}
          >
            {item.value === null ? <Skeleton className="my-1 h-6 w-16" /> : item.value}
          </dd>
          {item.change !== undefined && (
            <dd className="mt-0.5 text-12 text-ink-2 tabular-nums">{item.change}</dd>
          )}
          {item.note !== undefined && <dd className="mt-0.5 text-12 text-ink-3">{item.note}</dd>}
        </div>
      ))}
    </dl>
  );
}
