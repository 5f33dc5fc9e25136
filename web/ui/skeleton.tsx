import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';

/** A grey bar, or a `round` spot, in the place of what is to come. */
export function Skeleton({ className, round = false }: { className?: string; round?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-pulse-soft bg-line', round ? 'rounded-full' : 'rounded-sm', className)}
    />
  );
}

/** Holds back skeletons for 150 ms: what is quick never flashes. The words are for screen readers. */
export function Loading({ label = 'Loading…', children }: { label?: string; children: ReactNode }) {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      aria-live="polite"
      aria-busy="true"
      className={clsx('transition-opacity duration-150', due ? 'opacity-100' : 'opacity-0')}
    >
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
