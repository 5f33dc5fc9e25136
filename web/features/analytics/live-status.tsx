import { clsx } from 'clsx';
import { useSyncExternalStore } from 'react';
import { REFETCH_INTERVAL_MS } from './queries.ts';

/**
 * Shows whether the page updates itself: a dot, and a word beside it if there is room. While
 * `loading` it only reserves its space.
 */
export function LiveStatus({ failing, loading }: { failing: boolean; loading: boolean }) {
  const hidden = usePageHidden();
  return (
    <p
      title={`Updates every ${REFETCH_INTERVAL_MS / 1000} seconds while the page is visible`}
      className={clsx(
        'flex shrink-0 items-center gap-2 text-13 text-ink-3 print:hidden',
        loading && 'invisible',
      )}
    >
      <span
        aria-hidden="true"
        className={clsx(
          'size-2 rounded-full forced-colors:bg-[CanvasText]',
          failing || hidden ? 'bg-warn' : 'bg-good',
        )}
      />
      <span className="max-sm:sr-only">
        {failing ? 'Not up to date' : hidden ? 'Paused' : 'Live'}
      </span>
    </p>
  );
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

const usePageHidden = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => document.hidden,
    () => false,
  );
