import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

/** Stands while a screen's code is on its way. */
export function ScreenSkeleton() {
  return (
    // As high as the window: the footer must not be seen before the screen pushes it down.
    <div className="min-h-dvh">
      <Loading>
        <Skeleton className="h-8 w-52" />
        <Skeleton className="mt-3 h-4 w-72 max-w-full" />
        <Skeleton className="mt-8 h-24 w-full rounded-lg" />
        <Skeleton className="mt-4 h-64 w-full rounded-lg" />
      </Loading>
    </div>
  );
}
