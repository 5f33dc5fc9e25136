import { Suspense, useEffect, useState } from 'react';
import { takeToasts, useAnnouncement, useWaitingToasts } from './announcer.ts';
import { lazyOr } from './lazy-or.tsx';

const loadToasts = () => import('./toast-list.tsx').then((m) => m.ToastList);
const ToastList = lazyOr(loadToasts, PlainToasts);

/**
 * Shows the messages of `announce` and `toast`. The app contains it once. The code of toasts loads
 * with the first one.
 */
export function Toaster() {
  const announcement = useAnnouncement();
  const waiting = useWaitingToasts().length > 0;
  const [used, setUsed] = useState(false);
  if (waiting && !used) setUsed(true);
  return (
    <>
      <div aria-live="polite" className="sr-only">
        {announcement}
      </div>
      {used && (
        <Suspense fallback={null}>
          <ToastList />
        </Suspense>
      )}
    </>
  );
}

const PLAIN_DURATION_MS = 8_000;

/**
 * Shows the last message if the code of toasts fails to load. The message may be about that same
 * connection problem.
 */
export function PlainToasts() {
  const last = useWaitingToasts().at(-1);
  useEffect(() => {
    if (last === undefined) return;
    const timer = setTimeout(takeToasts, PLAIN_DURATION_MS);
    return () => clearTimeout(timer);
  }, [last]);
  return (
    last !== undefined && (
      <p
        role="alert"
        className="fixed inset-x-4 bottom-4 z-60 mx-auto max-w-form rounded-lg border border-line bg-raised p-3 text-14 shadow-float"
      >
        {last.text}
      </p>
    )
  );
}
