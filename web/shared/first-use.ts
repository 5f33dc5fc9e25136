const EVENTS = ['pointerdown', 'keydown', 'focusin', 'scroll'] as const;
let firstUse: Promise<void> = Promise.resolve();

/**
 * From now on, `untilUsed` waits until the visitor first scrolls, presses, types or focuses
 * something.
 */
export function awaitFirstUse(): void {
  firstUse = new Promise((resolve) => {
    for (const event of EVENTS)
      window.addEventListener(event, () => resolve(), { once: true, passive: true });
  });
}

/**
 * Resolves when the page is used. Parts of a prerendered page that work without code, such as text
 * with links, load it only then; a page that the visitor has navigated to does not wait.
 */
export const untilUsed = (): Promise<void> => firstUse;
