const EVENTS = ['pointerdown', 'keydown', 'focusin', 'scroll'] as const;
let firstUse: Promise<void> = Promise.resolve();
let pressed: HTMLElement | null = null;

function keepPress({ target }: Event): void {
  pressed = target instanceof Element ? target.closest('button') : null;
}

/** Makes `untilUsed` wait until the visitor first scrolls, presses, types or focuses something. */
export function awaitFirstUse(): void {
  firstUse = new Promise((resolve) => {
    for (const event of EVENTS)
      window.addEventListener(event, () => resolve(), { once: true, passive: true });
  });
  window.addEventListener('click', keepPress, true);
}

/**
 * Resolves when the page is used. Parts of a prerendered page that work without their code, such as
 * text with links, load it only then. A page that the visitor navigated to does not wait.
 */
export const untilUsed = (): Promise<void> => firstUse;

/**
 * Repeats the last press if it was on a button in `part`, whose code has just loaded: React drops
 * presses in a part without code.
 */
export function repeatPress(part: HTMLElement | null): void {
  window.removeEventListener('click', keepPress, true);
  if (part?.contains(pressed) === true) pressed?.click();
  pressed = null;
}
