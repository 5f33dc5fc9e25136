import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reloads the queries below `queryKey` after a change. Invalidating alone would wait for a first
 * request that is still running and may return the state before the change.
 */
export async function reloadQueries(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
}
