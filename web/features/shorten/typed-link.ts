import { HOUR_MS } from '#contract/time.ts';

const KEY = 'hop-typed-link';
/** As long as a confirmation mail's link works: it may open in another tab. */
const KEEP_MS = HOUR_MS;

/**
 * Keeps the text that a visitor has typed when they leave Home, for example to sign up. `now` is in
 * ms.
 */
export function saveTypedLink(text: string, now: number): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ text, until: now + KEEP_MS }));
  } catch {
    // Storage is blocked or full: the text is lost, as with any form.
  }
}

/** The kept text; '' if there is none, or if it is too old. */
export function readTypedLink(now: number): string {
  try {
    const { text, until }: { text?: unknown; until?: unknown } = JSON.parse(
      localStorage.getItem(KEY) ?? '{}',
    );
    return typeof text === 'string' && typeof until === 'number' && now < until ? text : '';
  } catch {
    return '';
  }
}

/** Deletes the text once it is back in the form. */
export function forgetTypedLink(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}
