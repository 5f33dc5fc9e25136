import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { reloadQueries } from './reload-queries.ts';

/**
 * Sends a change to the server and reloads the queries below `keys`. `onDone` receives the
 * response, with `waits` only after they have reloaded.
 */
export function useSend<Input, Output>(
  send: (input: Input) => Promise<Output>,
  keys: readonly QueryKey[],
  onDone?: (output: Output, input: Input) => void,
  { waits = false } = {},
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async (output, input) => {
      const loaded = Promise.all(keys.map((key) => reloadQueries(queries, key)));
      if (waits) await loaded;
      onDone?.(output, input);
    },
  });
}
