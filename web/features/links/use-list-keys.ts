import { useEffect, useLayoutEffect, useRef } from 'react';

const SEARCH = 'input[type=search]';
/** Keys move between these links, one per row; Enter opens the link's analytics. */
const ROW_LINK = '[data-row-link]';
const FIELD = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
const POPUP = '[role=dialog], [role=menu], [role=listbox]';
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

export type ListKeys = {
  /** `x` on a row; `isRange` with Shift. */
  onSelect: (row: number, isRange: boolean) => void;
  /** `e` on a row. */
  onEdit: (row: number) => void;
  /** Escape outside of dialogs, menus and fields. */
  onEscape: () => void;
};

/**
 * Handles the keys of the list in `section`: slash focuses the search, the down arrow moves from
 * the search to the first link, and arrows, `j` and `k` move between links. If an action removes
 * the row with the focus, the focus moves to the row that takes its place.
 */
export function useListKeys(section: { current: HTMLElement | null }, keys: ListKeys): void {
  const handlers = useRef(keys);
  const lastFocus = useRef<{ element: Element; row: number } | null>(null);
  useEffect(() => {
    handlers.current = keys;
  });
  useLayoutEffect(() => {
    const last = lastFocus.current;
    if (last === null || last.element.isConnected) return;
    lastFocus.current = null;
    const rows = rowLinks(section.current);
    if (document.activeElement === document.body)
      (rows[last.row] ?? rows.at(-1))?.focus({ preventScroll: true });
  });
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      const row = target instanceof Element ? rowOf(section.current, target) : -1;
      if (target instanceof Element && target !== document.body)
        lastFocus.current = row === -1 ? null : { element: target, row };
    };
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        !(target instanceof Element)
      )
        return;
      if (runKey(section.current, target, event, handlers.current)) event.preventDefault();
    };
    // This listener is called before a popup closes, which is why it still finds the popup.
    const onEscape = ({ key, target }: KeyboardEvent): void => {
      if (key !== 'Escape' || document.querySelector(POPUP) !== null) return;
      if (target instanceof Element && target.matches(FIELD)) return;
      handlers.current.onEscape();
    };
    addEventListener('focusin', onFocus);
    addEventListener('keydown', onKey);
    addEventListener('keydown', onEscape, true);
    return () => {
      removeEventListener('focusin', onFocus);
      removeEventListener('keydown', onKey);
      removeEventListener('keydown', onEscape, true);
    };
  }, [section]);
}

const rowLinks = (section: HTMLElement | null): HTMLElement[] => [
  ...(section?.querySelectorAll<HTMLElement>(ROW_LINK) ?? []),
];

/** The number of the row that contains an element; -1 outside of rows. */
function rowOf(section: HTMLElement | null, target: Element): number {
  const item = target.closest('li');
  return rowLinks(section).findIndex((link) => item?.contains(link));
}

/** Returns whether the key means something here. */
function runKey(
  section: HTMLElement | null,
  target: Element,
  { key, shiftKey: isRange }: KeyboardEvent,
  { onSelect, onEdit }: ListKeys,
): boolean {
  const rows = rowLinks(section);
  const focus = (element: HTMLElement | null | undefined): boolean => {
    element?.focus();
    return element != null;
  };
  if (target.matches(SEARCH) && section?.contains(target) === true && key === 'ArrowDown')
    return focus(rows[0]);
  const isMenu = target.closest('[role=menu], [aria-haspopup=menu]') !== null;
  const row = rowOf(section, target);
  const step = STEPS[key];
  if (step !== undefined && key.length > 1) return row !== -1 && !isMenu && focus(rows[row + step]);
  // Characters are typed in fields, and find items in menus.
  if (target.closest(FIELD) !== null || document.querySelector(POPUP) !== null) return false;
  if (key === '/') return focus(section?.querySelector<HTMLElement>(SEARCH));
  if (step !== undefined) return focus(row === -1 ? rows[0] : rows[row + step]);
  if (row === -1) return false;
  if (key.toLowerCase() === 'x') onSelect(row, isRange);
  else if (key === 'e') onEdit(row);
  else return false;
  return true;
}
