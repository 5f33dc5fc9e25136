import { useEffect } from 'react';
import type { useLinks } from './queries.ts';

/** Loads further pages of the list while `isWanted`. Returns whether more have to be loaded. */
export function useLoadWhile(
  { hasNextPage, isError, isFetching, fetchNextPage }: ReturnType<typeof useLinks>,
  isWanted: boolean,
): boolean {
  const isLoading = isWanted && hasNextPage && !isError;
  useEffect(() => {
    if (isLoading && !isFetching) void fetchNextPage();
  }, [isLoading, isFetching, fetchNextPage]);
  return isLoading;
}
