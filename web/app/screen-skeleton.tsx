import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

/** Shown while a screen's code loads. */
export function ScreenSkeleton() {
  return (
    // As tall as the window, so that the footer stays out of view and does not jump when the screen
    // loads.
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
