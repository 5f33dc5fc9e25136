import { useEffect, useRef, type RefObject } from 'react';

let isFocusPending = false;

/**
 * Makes the next rendered page heading take the focus. The layout calls it on every navigation but
 * the first.
 */
export function focusNextHeading(): void {
  isFocusPending = true;
}

/**
 * For a page's h1. Focuses it after a navigation, because a screen reader starts reading the new
 * page there.
 */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFocusPending) return;
    isFocusPending = false;
    heading.current?.focus({ preventScroll: true });
  });
  return heading;
}

/**
 * Focuses the page's heading if nothing has the focus, or if `leaving`, which is about to
 * disappear, has it.
 */
export function recoverFocus(leaving: Element | null = null): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body || activeElement === leaving)
    document.querySelector('h1')?.focus({ preventScroll: true });
}
