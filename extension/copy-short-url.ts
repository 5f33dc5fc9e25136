import { copyWhenReady } from '#web/shared/page/copy-when-ready.ts';
import { byId, say } from './elements.ts';

/** How many ms a button shows 'Copied!'. */
const CONFIRMATION_MS = 2000;
const BLOCKED = 'Your browser blocked copying. Select the short URL and copy it yourself.';

/**
 * Copies a short URL that may still be loading, and announces it. If it does not load, the caller
 * says why.
 */
export async function copyShortUrl(text: Promise<string>): Promise<boolean> {
  const isCopied = await copyWhenReady(text);
  const isLoaded = await text.then(
    () => true,
    () => false,
  );
  if (isLoaded) say(byId('status', HTMLElement), isCopied ? 'Copied!' : BLOCKED);
  return isCopied;
}

/**
 * Makes a button copy `text`. Returns the function that shows 'Copied!' on it, for a text that was
 * copied in another way.
 */
export function copyOnClick(button: HTMLButtonElement, text: () => string): () => void {
  const label = button.textContent;
  let timer = 0;
  const confirm = (): void => {
    button.textContent = 'Copied!';
    clearTimeout(timer);
    timer = window.setTimeout(() => (button.textContent = label), CONFIRMATION_MS);
  };
  button.addEventListener('click', () => {
    void copyShortUrl(Promise.resolve(text())).then((isCopied) => isCopied && confirm());
  });
  return confirm;
}
