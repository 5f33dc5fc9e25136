const TOAST_DURATION_MS = 5_000;

export type Toast = { id: number; text: string; note: string; tone: 'good' | 'bad' };

let toasts: readonly Toast[] = [];
let announcement = '';
let nextId = 1;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

/** Announces `text` to screen readers only, for example 'Copied!'. */
export function announce(text: string): void {
  // A live region stays silent when its text does not change, so a repeated text gets an invisible character.
  announcement = announcement === text ? `${text}\u00a0` : text;
  notify();
}

/** Shows and announces a short message at the bottom of the window for five seconds. `note` is a second, less prominent line. */
export function toast(text: string, options: { tone?: Toast['tone']; note?: string } = {}): void {
  const id = nextId++;
  toasts = [...toasts, { id, text, note: options.note ?? '', tone: options.tone ?? 'good' }];
  notify();
  setTimeout(() => dismissToast(id), TOAST_DURATION_MS);
}

export function dismissToast(id: number): void {
  toasts = toasts.filter((other) => other.id !== id);
  notify();
}

export const currentToasts = (): readonly Toast[] => toasts;
export const currentAnnouncement = (): string => announcement;

/** Calls `listener` when the toasts or the announcement change. Returns a function that stops it. */
export function onAnnouncement(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
