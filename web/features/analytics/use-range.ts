import { useEffect } from 'react';
import { useQueryParams } from '#web/shared/page/use-query-params.ts';
import { isSame, rangeParams, type Selection } from './range.ts';

/** The keys of a day, a week and a month. */
const KEYS: Readonly<Record<string, Selection>> = {
  d: { range: '24h' },
  w: { range: '7d' },
  m: { range: '30d' },
};
/** Letters are typed here, or mean something else. */
const TYPING =
  'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [role=dialog], [role=menu]';

/**
 * Returns a function that changes the range in the address, as the keys `d`, `w` and `m` do.
 * `initial` is the range that the page opens on, which needs no parameter.
 */
export function useRange(initial: Selection): (next: Selection) => void {
  const [, setQuery] = useQueryParams();
  const set = (next: Selection): void => setQuery(rangeParams(isSame(next, initial) ? null : next));
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const next = KEYS[event.key];
      const { target } = event;
      if (
        next === undefined ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        (target instanceof Element && target.closest(TYPING) !== null)
      )
        return;
      event.preventDefault();
      set(next);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return set;
}
