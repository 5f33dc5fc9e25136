import { useRef, type ReactNode } from 'react';
import { useInView } from './use-in-view.ts';

/**
 * Renders its content once it comes near the screen, so that its code and data load only for those
 * who scroll there. Until then the space has `className`, which should be as high as the content.
 */
export function WhenNear({ className, children }: { className: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useInView(place, true);
  return (
    <div ref={place} className={className}>
      {isNear && children}
    </div>
  );
}
