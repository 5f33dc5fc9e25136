import { Skeleton } from '#web/ui/skeleton.tsx';

type Item = { label: string; value: string | null; note: string };

/**
 * Four numbers in one compact strip, two by two on a phone, each with its meaning below it. A null
 * value is still loading.
 */
export function StatStrip({ items }: { items: readonly Item[] }) {
  return (
    <dl
      aria-busy={items.some(({ value }) => value === null)}
      className="grid grid-cols-2 rounded-lg border border-line bg-surface lg:grid-cols-4"
    >
      {items.map(({ label, value, note }) => (
        <div
          key={label}
          className="flex min-w-0 flex-wrap content-start items-baseline justify-between gap-x-2 border-line px-3 py-1 even:border-s sm:px-4 sm:py-2 max-lg:nth-[n+3]:border-t lg:not-first:border-s"
        >
          <dt className="text-13 text-ink-2">{label}</dt>
          <dd className="text-14 font-semibold tabular-nums">
            {value ?? <Skeleton className="h-3.5 w-10" />}
          </dd>
          <dd className="w-full text-12 text-ink-3">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
