import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const ROWS = ['w-40', 'w-32', 'w-44'] as const;

export const RECENT_LINKS = ROWS.length;

/** A member's latest links on Home while they load, at their final height. */
export function RecentLinksSkeleton() {
  return (
    <Card>
      <div className="flex h-11 items-center border-b border-line px-3 sm:px-4">
        <Skeleton className="h-4 w-28" />
      </div>
      {ROWS.map((width) => (
        <div
          key={width}
          className="flex h-16 items-center border-b border-line px-3 last:border-b-0 sm:px-4"
        >
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </Card>
  );
}
