import { clsx } from 'clsx';
import { useEffect, useState, type ReactNode } from 'react';

/** A gray bar, or a circle if `round`, in place of content that is loading. */
export function Skeleton({ className, round = false }: { className?: string; round?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'block animate-pulse-soft bg-line',
        round ? 'rounded-full' : 'rounded-sm',
        className,
      )}
    />
  );
}

/** How many ms pass before skeletons appear, so that quick responses cause no flash. */
const SHOW_AFTER_MS = 150;

let showsAtOnce = import.meta.env.SSR;
/**
 * Sets whether skeletons appear without waiting SHOW_AFTER_MS. They must not wait where they
 * replace skeletons of the HTML, which would vanish in between.
 */
export function showSkeletonsAtOnce(value: boolean): void {
  showsAtOnce = value;
}

/** Wraps skeletons while content loads. `label` is for screen readers. */
export function Loading({ label = 'Loading…', children }: { label?: string; children: ReactNode }) {
  const [shown, setShown] = useState(showsAtOnce);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      aria-live="polite"
      aria-busy="true"
      className={clsx('transition-opacity duration-150', shown ? 'opacity-100' : 'opacity-0')}
    >
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
