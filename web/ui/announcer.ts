const MESSAGE_LIFE_MS = 5_000;

export type Toast = { id: number; text: string; note: string; tone: 'good' | 'bad' };

let toasts: readonly Toast[] = [];
let spoken = '';
let nextId = 1;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Says `text` to screen readers only ('Copied!'). The same words twice are said twice. */
export function announce(text: string): void {
  spoken = spoken === text ? `${text}\u00a0` : text;
  tell();
}

/** Shows a short message at the foot of the window for five seconds, and says it. `note` is a second, quieter sentence. */
export function toast(text: string, options: { tone?: Toast['tone']; note?: string } = {}): void {
  const id = nextId++;
  toasts = [...toasts, { id, text, note: options.note ?? '', tone: options.tone ?? 'good' }];
  tell();
  setTimeout(() => dismissToast(id), MESSAGE_LIFE_MS);
}

export function dismissToast(id: number): void {
  toasts = toasts.filter((other) => other.id !== id);
  tell();
}

export const currentToasts = (): readonly Toast[] => toasts;
export const currentAnnouncement = (): string => spoken;

export function onAnnouncement(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
