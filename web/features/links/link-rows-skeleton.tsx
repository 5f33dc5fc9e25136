import { Skeleton } from '#web/ui/skeleton.tsx';

const WIDTHS = ['w-40', 'w-32', 'w-44', 'w-36', 'w-28'] as const;

export function LinkRowsSkeleton() {
  return WIDTHS.map((width) => (
    <div
      key={width}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:border-b-0 sm:flex-nowrap sm:px-5"
    >
      <Skeleton round className="size-9 shrink-0" />
      <div className="flex h-12 min-w-0 flex-1 flex-col justify-center gap-2">
        <Skeleton className={`h-4 ${width}`} />
        <Skeleton className="h-3.5 w-64 max-w-full" />
      </div>
      <div className="flex items-center justify-between gap-3 max-sm:w-full max-sm:ps-12">
        <Skeleton className="h-8 w-20 rounded-full! pointer-coarse:h-11" />
        <Skeleton className="h-4 w-20" />
      </div>
    </div>
  ));
}
