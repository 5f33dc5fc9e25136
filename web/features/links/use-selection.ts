import { useRef, useState } from 'react';
import { useMatchingLinks, type useLinks } from './queries.ts';
import type { SelectAll } from './selection-bar.tsx';

/**
 * The ids of the selected links, which need not be loaded. `toggle` with a range changes every link
 * of `shown` between the last toggled one and this one, to the new state of this one.
 */
export function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const last = useRef<number | null>(null);
  const toggle = (id: number, isRange: boolean, shown: readonly number[]): void => {
    const from = isRange && last.current !== null ? shown.indexOf(last.current) : -1;
    const to = shown.indexOf(id);
    const range = from === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    setIds((before) => {
      const after = new Set(before);
      for (const one of range) {
        if (before.has(id)) after.delete(one);
        else after.add(one);
      }
      return after;
    });
  };
  const set = (selected: readonly number[]): void => setIds(new Set(selected));
  const remove = (some: ReadonlySet<number>): void =>
    setIds((before) => new Set([...before].filter((id) => !some.has(id))));
  return { ids, toggle, set, remove, clear: () => set([]) };
}

/**
 * Returns how to select every link that the filters accept; null if all are selected. The server
 * says which these are, unless all are loaded.
 */
export function useSelectAll(
  query: ReturnType<typeof useLinks>,
  apiQuery: string,
  selection: ReturnType<typeof useSelection>,
): SelectAll | null {
  const { hasNextPage } = query;
  const matching = useMatchingLinks(apiQuery, hasNextPage && selection.ids.size > 0);
  const loaded = query.data?.pages.flatMap((page) => page.urls.map(({ id }) => id)) ?? [];
  const ids = hasNextPage ? matching.data?.ids : loaded;
  // The button names the number, which is not known.
  if (matching.isError && hasNextPage) return null;
  if (ids === undefined) return { count: null, onSelect: () => undefined };
  return ids.every((id) => selection.ids.has(id))
    ? null
    : { count: ids.length, onSelect: () => selection.set(ids) };
}
