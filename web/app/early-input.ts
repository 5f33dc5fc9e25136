declare global {
  interface Window {
    /**
     * The button or option that was clicked before the application started; the script in
     * index.html notes it.
     */
    hopClick?: Element | null;
    /** The field in which Enter was pressed before that; the script in index.html notes it. */
    hopEnter?: EventTarget | null;
    /** True from when the application takes over. */
    hopStarted?: boolean;
  }
}

const FOCUSABLE = 'a, button, input, select, summary';

const nameOf = (element: Element): string =>
  element.getAttribute('aria-label') ?? element.textContent;

/**
 * Whether `other` is, or may have replaced, `element`. Where the browser can share, 'Share' has no
 * 'Copied!' beside it.
 */
function isLike(element: Element | null | undefined, other: Element): boolean {
  if (
    element?.tagName !== other.tagName ||
    element.getAttribute('href') !== other.getAttribute('href')
  )
    return false;
  return nameOf(other) === '' ? nameOf(element) === '' : nameOf(element).startsWith(nameOf(other));
}

/**
 * Notes what was done on a prerendered page: the button that was clicked, the element that has the
 * focus and what was typed into it. The returned function does all of it again after the
 * application has taken over in `next`, with the same elements or with those that have replaced
 * them.
 */
export function keepEarlyInput(root: HTMLElement, next: HTMLElement): () => void {
  window.hopStarted = true;
  const { hopClick: clicked } = window;
  const focused = document.activeElement;
  const typed =
    focused instanceof HTMLInputElement && focused.type !== 'radio' ? focused.value : '';
  const before = [...root.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const find = (element: Element | null | undefined): HTMLElement | undefined => {
    const index = before
      .filter((other) => isLike(element, other))
      .findIndex((other) => other === element);
    return [...next.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((other) =>
      isLike(element, other),
    )[index];
  };
  return () => {
    const target = find(focused);
    if (target !== undefined && target !== document.activeElement) {
      target.focus({ preventScroll: true });
      // As if it were typed: React notices no other change.
      if (typed !== '') document.execCommand('insertText', false, typed);
    }
    find(clicked)?.click();
  };
}
