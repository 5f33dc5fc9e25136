import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The subscription card while it loads, at its final height. */
export function SubscriptionSkeleton() {
  return (
    <Card className="px-4 py-4 sm:px-5">
      <div className="flex h-5 items-center justify-between">
        <Skeleton className="h-4 w-28" />
        <Skeleton className="h-4 w-32" />
      </div>
      <Skeleton className="mt-3 h-1.5 w-full" />
      <div className="mt-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Skeleton className="my-0.5 h-4 w-60" />
        <Skeleton className="h-8 w-20 pointer-coarse:h-11" />
      </div>
    </Card>
  );
}
