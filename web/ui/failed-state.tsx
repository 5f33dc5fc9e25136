import type { ReactNode } from 'react';
import { LOOPING_ARC } from '#contract/pages/arcs.ts';
import { Button } from './button.tsx';
import { CHECK_CONNECTION } from './check-connection.ts';
import { EmptyState } from './empty-state.tsx';
import { useQueryRetry, type Retry } from './error-line.tsx';

/**
 * Shown in place of a list that could not be loaded. It does not claim that the list is empty. See
 * docs/decisions.md#d23.
 */
export function FailedState({
  title,
  query,
  children,
}: {
  title: string;
  query: Retry;
  children?: ReactNode;
}) {
  const offline = useQueryRetry(query);
  return (
    <div role="alert">
      <EmptyState
        arc={LOOPING_ARC}
        title={title}
        action={
          <Button pending={query.isFetching === true} onClick={() => void query.refetch()}>
            Retry
          </Button>
        }
      >
        {offline === '' ? (children ?? CHECK_CONNECTION) : offline}
      </EmptyState>
    </div>
  );
}
