import { useEffect, useRef } from 'react';

/** A key that does something wherever nobody is typing. */
export type Shortcut = {
  /** As in `KeyboardEvent.key`: 'c', '/', 'Escape'. */
  key: string;
  run: () => void;
};

const shortcuts = new Set<{ current: Shortcut }>();

/** Fields in which keys type. Buttons, checkboxes and links leave letters to shortcuts. */
const FIELD =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]';
/** Dialogs and menus have keys of their own. */
const POPUP = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

const isTyped = ({ target, isComposing, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  isComposing ||
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof Element && target.closest(FIELD) !== null);

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat || isTyped(event)) return;
  if (document.querySelector(POPUP) !== null) return;
  // The latest one wins, so that a page can give a key another meaning while it is open.
  const shortcut = [...shortcuts].findLast(({ current }) => current.key === event.key);
  if (shortcut === undefined) return;
  event.preventDefault();
  shortcut.current.run();
}

/** Calls `run` when `key` is pressed outside of fields, dialogs and menus. */
export function useShortcut(key: string, run: () => void): void {
  const latest = useRef<Shortcut>({ key, run });
  useEffect(() => {
    latest.current = { key, run };
  }, [key, run]);
  useEffect(() => {
    if (shortcuts.size === 0) addEventListener('keydown', onKey);
    shortcuts.add(latest);
    return () => {
      shortcuts.delete(latest);
      if (shortcuts.size === 0) removeEventListener('keydown', onKey);
    };
  }, []);
}
