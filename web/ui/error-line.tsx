import { CircleAlert } from 'lucide-react';
import { Button } from './button.tsx';

export type Retry = { refetch: () => unknown; isFetching?: boolean };

/**
 * One line that says what failed, with Retry, so that a failure never looks like an empty list. See
 * docs/decisions.md#d23.
 */
export function ErrorLine({ message, query }: { message: string; query?: Retry | undefined }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-surface px-3 py-2 text-13 text-ink-2"
    >
      <CircleAlert className="size-4 shrink-0 text-bad" />
      <span className="min-w-0 flex-1">{message}</span>
      {query !== undefined && (
        <Button size="sm" pending={query.isFetching === true} onClick={() => void query.refetch()}>
          Retry
        </Button>
      )}
    </div>
  );
}
