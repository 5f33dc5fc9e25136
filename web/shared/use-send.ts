import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';

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
      const loaded = Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
      if (waits) await loaded;
      onDone?.(output, input);
    },
  });
}
