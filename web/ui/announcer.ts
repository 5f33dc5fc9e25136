/** What a message offers to do, for example to undo what it reports. */
export type ToastAction = { label: string; onSelect: () => void };
export type Toast = {
  text: string;
  note: string;
  tone: 'good' | 'bad';
  action: ToastAction | null;
  /**
   * What had the focus, usually the control that the message is about. It may lose it before the
   * message shows.
   */
  focused: Element | null;
};

let toasts: readonly Toast[] = [];
let announcement = '';
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

/** Announces `text` to screen readers only, for example 'Copied!'. */
export function announce(text: string): void {
  // A live region stays silent when its text does not change, so a repeated text gets an invisible
  // character.
  announcement = announcement === text ? `${text}\u00a0` : text;
  notify();
}

/**
 * Shows and announces a short message at the edge of the window for five seconds, or ten if it has
 * an action. `note` is a second, less prominent line.
 */
export function toast(
  text: string,
  options: { tone?: Toast['tone']; note?: string; action?: ToastAction } = {},
): void {
  const { note = '', tone = 'good', action = null } = options;
  toasts = [...toasts, { text, note, tone, action, focused: document.activeElement }];
  notify();
}

/** The messages that nothing shows yet. */
export const waitingToasts = (): readonly Toast[] => toasts;
export const currentAnnouncement = (): string => announcement;

/** Takes the waiting messages, to show them. */
export function takeToasts(): readonly Toast[] {
  const taken = toasts;
  toasts = [];
  notify();
  return taken;
}

/**
 * Calls `listener` when the toasts or the announcement change. Returns a function that stops it.
 */
export function onAnnouncement(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
