const FOCUSABLE = 'a, button, input, select, summary';

/** Identifies an element by its destination or its name. */
const nameOf = (element: Element): string =>
  element.getAttribute('href') ??
  element.getAttribute('aria-label') ??
  element.getAttribute('placeholder') ??
  element.textContent;

const findLike = (root: HTMLElement, other: Element): HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.tagName === other.tagName && nameOf(element) === nameOf(other),
  );

/**
 * Remembers the focused element of `root`. The returned function focuses the same element of `next`
 * and copies the text of a field.
 */
export function keepFocus(root: HTMLElement, next: HTMLElement): () => void {
  const focused = document.activeElement;
  if (focused === null || !root.contains(focused)) return () => undefined;
  const index = findLike(root, focused).findIndex((element) => element === focused);
  const target = findLike(next, focused)[index];
  if (
    focused instanceof HTMLInputElement &&
    target instanceof HTMLInputElement &&
    target.type !== 'radio'
  )
    target.value = focused.value;
  return () => target?.focus({ preventScroll: true });
}
