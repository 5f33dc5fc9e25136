import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

/**
 * Returns the parameters of the page's address, and a function that changes some of them; ''
 * removes one. A change is a step in the history, so that Back undoes it. Changes while typing, and
 * those of tabs, `replace` the step.
 */
export function useQueryParams(): [
  params: URLSearchParams,
  set: (change: Readonly<Record<string, string>>, options?: { replace?: boolean }) => void,
] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (change: Readonly<Record<string, string>>, { replace = false }: { replace?: boolean } = {}) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(change)) {
            if (value === '') after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace },
      ),
    [setParams],
  );
  return [params, set];
}
