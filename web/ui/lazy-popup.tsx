import { Suspense, useEffect, useState, type ComponentType } from 'react';
import { toast } from './announcer.ts';
import { lazyOr } from './lazy-or.ts';

/**
 * Creates a popup whose code loads when it first opens. If that fails, a message says so and the
 * popup closes; the next time it opens, its code loads again.
 */
export function lazyPopup<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
) {
  let Newest = lazyOr(load, LoadFailure);
  function LoadFailure({ onClose }: Props) {
    useEffect(() => {
      Newest = lazyOr(load, LoadFailure);
      toast(
        'This part of the page didn’t load. Check your connection and try again, or reload the page.',
        {
          tone: 'bad',
        },
      );
      onClose();
    }, [onClose]);
    return null;
  }
  return function LazyPopup(props: Props) {
    const [Popup] = useState(() => Newest);
    return (
      <Suspense fallback={null}>
        <Popup {...props} />
      </Suspense>
    );
  };
}
