import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export function SubscriptionSkeleton() {
  return (
    <Card className="flex h-10 items-center gap-3 ps-3 pe-1 sm:ps-4 pointer-coarse:h-11.5">
      <Skeleton className="h-5 w-11 rounded-full!" />
      <Skeleton className="h-4 w-28" />
      <Skeleton className="h-1.5 flex-1 sm:max-w-64" />
      <Skeleton className="ms-auto h-8 w-20 pointer-coarse:h-11" />
    </Card>
  );
}
