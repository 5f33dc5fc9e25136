import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

export function ScreenSkeleton() {
  return (
    // The skeleton is as tall as the window, so that the footer does not jump when the screen
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
