import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

/**
 * Returns the parameters of the page's address, and a function that changes some of them; ''
 * removes one. Changes replace the history entry, unless they are pushed.
 */
export function useQueryParams(): [
  params: URLSearchParams,
  set: (change: Readonly<Record<string, string>>, how?: 'push' | 'replace') => void,
] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (change: Readonly<Record<string, string>>, how: 'push' | 'replace' = 'replace') =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(change)) {
            if (value === '') after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: how === 'replace' },
      ),
    [setParams],
  );
  return [params, set];
}
