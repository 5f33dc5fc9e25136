import { useEffect, useState } from 'react';
import { REFETCH_INTERVAL_MS } from './queries.ts';

const time = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });

/** Shows whether the page updates itself and when it last did. `updatedAt` is in milliseconds. */
export function LiveStatus({ updatedAt, failing }: { updatedAt: number; failing: boolean }) {
  const hidden = usePageHidden();
  const state = failing ? 'Not up to date' : hidden ? 'Paused' : 'Live';
  return (
    <p className="flex items-center gap-2 text-13 text-ink-3 tabular-nums">
      <span aria-hidden="true" className={`size-2 rounded-full ${failing || hidden ? 'bg-warn' : 'bg-good'}`} />
      <span title={`Updates every ${REFETCH_INTERVAL_MS / 1000} seconds while the page is visible`}>{state}</span>
      <span aria-hidden="true">·</span>
      <span>updated {time.format(updatedAt)}</span>
    </p>
  );
}

function usePageHidden(): boolean {
  const [hidden, setHidden] = useState(document.hidden);
  useEffect(() => {
    const onChange = (): void => setHidden(document.hidden);
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return hidden;
}
