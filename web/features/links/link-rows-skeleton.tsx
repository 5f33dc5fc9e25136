import { Skeleton } from '#web/ui/skeleton.tsx';

const WIDTHS = ['w-40', 'w-32', 'w-44', 'w-36', 'w-28'] as const;

/** The rows of the link list while they load. */
export function LinkRowsSkeleton() {
  return WIDTHS.map((width) => (
    <div key={width} className="flex items-center gap-3 border-b border-line px-4 py-3 last:border-b-0 sm:px-5">
      <Skeleton round className="size-9 shrink-0" />
      <div className="min-w-0 flex-1">
        <Skeleton className={`h-4 ${width}`} />
        <Skeleton className="mt-2 h-3.5 w-64 max-w-full" />
      </div>
      <Skeleton className="h-8 w-20" />
    </div>
  ));
}
