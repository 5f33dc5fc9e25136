import { createStore } from '#web/ui/create-store.ts';

/** Facts about a new member's first steps that only this browser knows. */
type FirstSteps = {
  /** Whether the steps were begun in an empty account, so that they stay until they are done. */
  isOpen: boolean;
  isDismissed: boolean;
  hasQr: boolean;
};

const KEY = 'hop.first-steps';
const NONE: FirstSteps = { isOpen: false, isDismissed: false, hasQr: false };

function read(): FirstSteps {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof stored === 'object' ? { ...NONE, ...stored } : NONE;
  } catch {
    return NONE;
  }
}

const store = createStore(import.meta.env.SSR ? NONE : read(), () => NONE);
export const useFirstSteps = store.use;

/** Changes some of the facts. A browser without storage forgets them with the page. */
export function changeFirstSteps(change: Partial<FirstSteps>): void {
  const next = { ...store.get(), ...change };
  if (JSON.stringify(next) === JSON.stringify(store.get())) return;
  store.set(next);
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // The storage is full or forbidden.
  }
}

/** Called when a QR code is downloaded or printed. */
export const rememberQr = (): void => changeFirstSteps({ hasQr: true });
