import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { documentTitle } from '#contract/page-meta.ts';

/** Sets the document's title: 'Pricing · Hop'. An empty title leaves what the server wrote. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    if (title !== '') document.title = documentTitle(title);
  }, [title]);
}

let wantsFocus = false;

/** Called by the layout on every navigation but the first: the next heading that appears takes the focus. */
export function focusNextHeading(): void {
  wantsFocus = true;
}

/** For a page's h1: takes the focus when it appears after a navigation, so that a screen reader starts at the new page. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!wantsFocus) return;
    wantsFocus = false;
    heading.current?.focus({ preventScroll: true });
  });
  return heading;
}
