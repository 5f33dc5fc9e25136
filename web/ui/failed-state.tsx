import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

/**
 * Shown in place of a list that could not be loaded. It does not claim that the list is empty. See
 * docs/decisions.md#d23.
 */
export function FailedState({
  title,
  onRetry,
  retrying,
  children,
}: {
  title: string;
  onRetry: () => void;
  retrying: boolean;
  children?: ReactNode;
}) {
  return (
    <div role="alert">
      <EmptyState
        icon={<CircleAlert />}
        title={title}
        action={
          <Button pending={retrying} onClick={onRetry}>
            Retry
          </Button>
        }
      >
        {children ?? 'Check your connection and try again.'}
      </EmptyState>
    </div>
  );
}
