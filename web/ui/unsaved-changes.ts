import { useCallback, useEffect, useRef, type RefCallback } from 'react';
import { createStore } from './create-store.ts';

type Guarded = {
  root: HTMLElement;
  isDialog: boolean;
  isChanged: () => boolean;
  /** True if a changed field holds a long text. */
  isLong: () => boolean;
};
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Fields outside a form, such as menus that apply at once, count only if somebody types there. */
const TYPED = new Set(['text', 'url', 'email', 'password', 'number', 'tel']);

const guarded = createStore<readonly Guarded[]>([]);
/** Calls `listener` after a form or dialog opened or closed. */
export const onGuardedChange = guarded.subscribe;

/** True if an open dialog or a changed form would be lost with the page. */
export const holdsPage = (): boolean =>
  guarded.get().some(({ isDialog, isChanged }) => isDialog || isChanged());

/** Returns the popup of the dialog that opened last, or null. */
export const useTopDialog = (): HTMLElement | null =>
  guarded.use().findLast(({ isDialog }) => isDialog)?.root ?? null;

function fieldsIn(root: Element): Field[] {
  const fields = [...root.querySelectorAll<Field>('input, textarea, select')];
  return fields.filter(
    ({ form, type }) => type !== 'file' && type !== 'search' && (form !== null || TYPED.has(type)),
  );
}

const valueOf = (field: Field): string =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')
    ? String(field.checked)
    : field.value;

/**
 * Remembers the first value of each field below `root`: at once, or for fields that appear later
 * when they first get the focus. Returns the fields that have another value now.
 */
function trackFields(root: Element, signal: AbortSignal): () => Field[] {
  const first = new WeakMap<EventTarget, string>();
  const note = (): void => {
    for (const field of fieldsIn(root)) if (!first.has(field)) first.set(field, valueOf(field));
  };
  note();
  root.addEventListener('focusin', note, { signal });
  root.addEventListener('pointerdown', note, { signal });
  return () =>
    fieldsIn(root).filter((field) => (first.get(field) ?? valueOf(field)) !== valueOf(field));
}

/**
 * Guards what is typed in an element: while it has changes, or is a dialog, the page stays although
 * the session ends. `changed` says so where the fields cannot, because they are not always shown.
 * Returns the element's ref and a function that tells whether it has changes.
 */
export function useUnsavedGuard({
  isDialog = false,
  changed,
}: { isDialog?: boolean; changed?: boolean | undefined } = {}): [
  RefCallback<HTMLElement>,
  () => boolean,
] {
  const known = useRef(changed);
  useEffect(() => {
    known.current = changed;
  }, [changed]);
  const changes = useRef<() => Field[]>(() => []);
  const isChanged = useCallback(() => known.current ?? changes.current().length > 0, []);
  const guard = useCallback(
    (root: HTMLElement | null) => {
      if (root === null) return;
      const controller = new AbortController();
      changes.current = trackFields(root, controller.signal);
      const isLong = (): boolean =>
        isChanged() && changes.current().some((field) => field instanceof HTMLTextAreaElement);
      const entry = { root, isDialog, isChanged, isLong };
      guarded.set([...guarded.get(), entry]);
      return () => {
        controller.abort();
        guarded.set(guarded.get().filter((other) => other !== entry));
      };
    },
    [isDialog, isChanged],
  );
  return [guard, isChanged];
}

let isLeaving = false;
/** Reloads the page without asking, because it belongs to another person now. */
export function discardAndReload(): void {
  isLeaving = true;
  window.location.reload();
}

/** Makes the browser ask before the tab closes while a long text is not saved. */
export function askBeforeUnload(): void {
  window.addEventListener('beforeunload', (event) => {
    if (!isLeaving && guarded.get().some(({ isLong }) => isLong())) event.preventDefault();
  });
}
