import { CircleAlert } from 'lucide-react';
import { Button } from './button.tsx';
import { RETRIES_LOADING, useErrorText, useOnline, useRetryOnline } from './offline.ts';

export type Retry = {
  refetch: () => unknown;
  isFetching?: boolean;
  /** True if only a person may decide to do it, because it reloads the page or sends something. */
  isManual?: boolean;
};

/** Repeats a failed query when the network comes back. Returns what the error then says, or ''. */
export function useQueryRetry(query: Retry | undefined): string {
  const isOnline = useOnline();
  const repeats = query !== undefined && query.isManual !== true;
  useRetryOnline(repeats, () => void query?.refetch());
  return repeats && !isOnline ? RETRIES_LOADING : '';
}

/**
 * One line that says what failed, with Retry, so that a failure never looks like an empty list. See
 * docs/decisions.md#d23.
 */
export function ErrorLine({ message, query }: { message: string; query?: Retry | undefined }) {
  const offline = useQueryRetry(query);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-surface px-3 py-2 text-13 text-ink-2"
    >
      <CircleAlert className="size-4 shrink-0 text-bad" />
      <span className="min-w-0 flex-1">
        {useErrorText(message)}
        {offline !== '' && ` ${offline}`}
      </span>
      {query !== undefined && (
        <Button size="sm" pending={query.isFetching === true} onClick={() => void query.refetch()}>
          Retry
        </Button>
      )}
    </div>
  );
}
