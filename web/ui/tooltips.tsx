import { Suspense, useEffect, useState } from 'react';
import { lazyOr } from './lazy-or.tsx';

const SHOW_AFTER_MS = 400;
/** How many ms the pointer may take to move from the element to its tooltip. */
const HIDE_AFTER_MS = 100;

const TooltipPopup = lazyOr(() => import('./tooltip-popup.tsx').then((m) => m.TooltipPopup));

const elementWithTooltip = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;

/**
 * Shows the `data-tooltip` of the element that the pointer rests on or the keyboard focuses. The
 * app contains it once. A tooltip only repeats a name or completes a shortened text, which
 * assistive technology reads from the element itself.
 */
export function Tooltips() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const change = (to: HTMLElement | null, delay: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setAnchor(to), delay);
    };
    const onPointer = (event: PointerEvent): void => {
      if (event.pointerType === 'touch') return;
      const to = elementWithTooltip(event.target);
      if (to !== null) change(to, SHOW_AFTER_MS);
      else if (event.target instanceof Element && event.target.closest('[data-tooltip-popup]'))
        clearTimeout(timer);
      else change(null, HIDE_AFTER_MS);
    };
    const onFocus = (event: FocusEvent): void => {
      const to = elementWithTooltip(event.target);
      change(to?.matches(':focus-visible') === true ? to : null, SHOW_AFTER_MS);
    };
    const hide = (): void => change(null, 0);
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' || event.key === 'Enter' || event.key === ' ') hide();
    };
    document.addEventListener('pointerover', onPointer);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', hide);
    document.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', onPointer);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('pointerdown', hide);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  const text = anchor?.dataset['tooltip'];
  return (
    text !== undefined && (
      <Suspense fallback={null}>
        <TooltipPopup anchor={anchor} text={text} onClose={() => setAnchor(null)} />
      </Suspense>
    )
  );
}
