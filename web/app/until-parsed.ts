/**
 * Resolves when the browser has read the whole HTML. Until then it may still add to what a script
 * finds in the page.
 */
export const untilParsed = (): Promise<void> =>
  document.readyState === 'loading'
    ? new Promise((resolve) =>
        document.addEventListener('DOMContentLoaded', () => resolve(), { once: true }),
      )
    : Promise.resolve();
