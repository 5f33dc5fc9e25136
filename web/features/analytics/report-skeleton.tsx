import { ErrorLine } from '#web/ui/error-line.tsx';
import { Card } from '#web/ui/card.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const FIGURES = ['clicks', 'visitors', 'per-visitor', 'active-days', 'created'];
const CARDS = ['places', 'devices', 'sources', 'times'];

/** The report while it loads, at its final height. */
export const ReportSkeleton = () => (
  <Loading label="Loading analytics…">
    <div className="flex flex-col gap-4">
      <Card>
        <div className="grid grid-cols-3 border-b border-line h-32 lg:grid-cols-5">
          {FIGURES.map((figure, index) => (
            <div key={figure} className={`px-3 py-5 sm:px-5 ${index > 2 ? 'max-lg:hidden' : ''}`}>
              <Skeleton className="h-3 w-16 max-w-full" />
              <Skeleton className="mt-3 h-6 w-12 max-w-full" />
            </div>
          ))}
        </div>
        <div className="h-92 p-4 sm:p-5">
          <Skeleton className="h-3 w-24" />
          <Skeleton className="mt-2.5 h-3 w-40 max-w-full" />
          <Skeleton className="mt-6 h-56 w-full" />
        </div>
      </Card>
      <CardSkeletons />
    </div>
  </Loading>
);

export const GridSkeleton = () => (
  <Loading label="Loading the details…">
    <CardSkeletons />
  </Loading>
);

const CardSkeletons = () => (
  <div className="grid gap-4 pt-11 lg:grid-cols-2 pointer-coarse:pt-14">
    {CARDS.map((card) => (
      <Card key={card} className="h-86 p-4 sm:p-5">
        <Skeleton className="h-3 w-28" />
        <Skeleton className="mt-6 h-64 w-full" />
      </Card>
    ))}
  </div>
);

/** Replaces the panels below the chart if their code did not load. */
export const GridError = () => (
  <ErrorLine
    message="The details of this report could not be loaded."
    query={{ refetch: () => window.location.reload(), isManual: true }}
  />
);
