import { useEffect } from 'react';

const SEARCH = 'input[type=search]';
/** Arrow keys move between these links, one per row; Enter opens the link's analytics. */
const ROW_LINK = '[data-row-link]';

/**
 * Handles the keys of the list in `section`: slash focuses the search, the down arrow moves from
 * the search to the first link, and arrows move between links.
 */
export function useListKeys(section: { current: HTMLElement | null }): void {
  useEffect(() => {
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
      const next =
        event.key === '/'
          ? findSearch(section.current, target)
          : findRow(section.current, target, event.key);
      if (next === null) return;
      event.preventDefault();
      next.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [section]);
}

const findSearch = (section: HTMLElement | null, target: Element): HTMLElement | null =>
  target.closest('input:not([type=checkbox]), textarea, select, [role=dialog]') === null
    ? (section?.querySelector<HTMLElement>(SEARCH) ?? null)
    : null;

function findRow(section: HTMLElement | null, target: Element, key: string): HTMLElement | null {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return null;
  const rows = [...(section?.querySelectorAll<HTMLElement>(ROW_LINK) ?? [])];
  if (target.matches(SEARCH))
    return key === 'ArrowDown' && section?.contains(target) === true ? (rows[0] ?? null) : null;
  const row = target.closest('li');
  const at = rows.findIndex((link) => row?.contains(link));
  const isMenu = target.closest('[role=menu], [aria-haspopup=menu]') !== null;
  return at === -1 || isMenu ? null : (rows[at + (key === 'ArrowDown' ? 1 : -1)] ?? null);
}
