import { createStore } from './create-store.ts';

/** The action that a message offers, for example to undo what it reports. */
export type ToastAction = { label: string; onSelect: () => void };
export type Toast = {
  text: string;
  note: string;
  tone: 'good' | 'bad';
  action: ToastAction | null;
  /**
   * The element with the focus, usually the control that the message is about. It may lose the
   * focus before the message shows.
   */
  focused: Element | null;
};

const toasts = createStore<readonly Toast[]>([]);
const announcement = createStore('');
export const useAnnouncement = announcement.use;
export const useWaitingToasts = toasts.use;
export const waitingToasts = toasts.get;
export const onToast = toasts.subscribe;

/** Announces `text` to screen readers only, for example 'Copied!'. */
export function announce(text: string): void {
  // A live region stays silent if its text does not change, so a repeated text gets an invisible
  // character.
  announcement.set(announcement.get() === text ? `${text}\u00a0` : text);
}

/**
 * Shows and announces a short message at the edge of the window for five seconds, or ten with an
 * action. `note` is a second, less prominent line.
 */
export function toast(
  text: string,
  options: { tone?: Toast['tone']; note?: string; action?: ToastAction } = {},
): void {
  const { note = '', tone = 'good', action = null } = options;
  toasts.set([...toasts.get(), { text, note, tone, action, focused: document.activeElement }]);
}

/** Shows the message of an error below a line that says what failed. */
export const toastFailure = ({ message }: Error, failed = 'That did not work.'): void =>
  toast(failed, { tone: 'bad', note: message });

export const toastExportFailure = (error: Error): void => toastFailure(error, 'The export failed.');

export function takeToasts(): readonly Toast[] {
  const taken = toasts.get();
  toasts.set([]);
  return taken;
}
