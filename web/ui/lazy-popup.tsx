import { Suspense, useEffect, type ComponentType } from 'react';
import { toast } from './announcer.ts';
import { lazyOr } from './lazy-or.tsx';

/**
 * Creates a popup whose code loads when it first opens. If that fails, a message says so and the
 * popup closes; the next time it opens, its code loads again.
 */
export function lazyPopup<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
) {
  const Popup = lazyOr(load, LoadFailure);
  return function LazyPopup(props: Props) {
    return (
      <Suspense fallback={null}>
        <Popup {...props} />
      </Suspense>
    );
  };
}

function LoadFailure({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    toast(
      'This part of the page didn’t load. Check your connection and try again, or reload the page.',
      { tone: 'bad' },
    );
    onClose();
  }, [onClose]);
  return null;
}
