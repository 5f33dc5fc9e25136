import { useEffect, useState } from 'react';
import { MINUTE_MS } from '#contract/time.ts';

/** How long a page that nobody touches is kept up to date. */
const ACTIVE_MS = 5 * MINUTE_MS;
const EVENTS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focus'] as const;

/** Whether the reader has used the page in the last minutes. */
export function useRecentActivity(): boolean {
  const [isActive, setActive] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const onUse = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setActive(false), ACTIVE_MS);
      setActive(true);
    };
    onUse();
    for (const event of EVENTS) window.addEventListener(event, onUse, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of EVENTS) window.removeEventListener(event, onUse);
    };
  }, []);
  return isActive;
}
