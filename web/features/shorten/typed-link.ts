import { HOUR_MS } from '#contract/time.ts';

const KEY = 'hop-typed-link';
/** A confirmation mail's link works this long, and it may open in another tab. */
const KEEP_MS = HOUR_MS;

/** Stores the typed text when a visitor leaves Home, for example to sign up. `now` is in ms. */
export function saveTypedLink(text: string, now: number): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ text, until: now + KEEP_MS }));
  } catch {
    // Storage is blocked or full, so the text is lost as in any form.
  }
}

/** Returns the stored text; '' if there is none, or if it is too old. */
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

export function forgetTypedLink(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}
