const EVENTS = ['pointerdown', 'keydown', 'focusin', 'scroll'] as const;
let firstUse: Promise<void> = Promise.resolve();

/** Makes `untilUsed` wait until the visitor first scrolls, presses, types or focuses something. */
export function awaitFirstUse(): void {
  firstUse = new Promise((resolve) => {
    for (const event of EVENTS)
      window.addEventListener(event, () => resolve(), { once: true, passive: true });
  });
}

/**
 * Resolves when the page is used. Parts of a prerendered page that need no code, such as text with
 * links, only load it then. A page that the visitor navigated to does not wait.
 */
export const untilUsed = (): Promise<void> => firstUse;
