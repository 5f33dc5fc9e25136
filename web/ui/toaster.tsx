import { Check, CircleAlert, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { currentAnnouncement, currentToasts, dismissToast, onAnnouncement } from './announcer.ts';

/** Renders what `announce` and `toast` are given. The app contains it once. */
export function Toaster() {
  const announcement = useSyncExternalStore(onAnnouncement, currentAnnouncement);
  const toasts = useSyncExternalStore(onAnnouncement, currentToasts);
  return (
    <>
      <div aria-live="polite" className="sr-only">
        {announcement}
      </div>
      <div className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-center gap-2 sm:items-end">
        {toasts.map((item) => (
          <div
            key={item.id}
            role="alert"
            className="pointer-events-auto flex w-full max-w-form animate-appear items-start gap-2.5 rounded-lg border border-line bg-raised py-2 pr-2 pl-3.5 text-14 shadow-float sm:w-auto"
          >
            {item.tone === 'good' ? (
              <Check className="mt-1.5 size-4 shrink-0 text-good" aria-hidden="true" />
            ) : (
              <CircleAlert className="mt-1.5 size-4 shrink-0 text-bad" aria-hidden="true" />
            )}
            <div className="min-w-0 flex-1 py-1">
              <p>{item.text}</p>
              {item.note !== '' && <p className="text-13 text-ink-3">{item.note}</p>}
            </div>
            <button
              type="button"
              aria-label="Dismiss"
              onClick={() => dismissToast(item.id)}
              className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink pointer-coarse:size-11"
            >
              <X className="size-4" aria-hidden="true" />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
