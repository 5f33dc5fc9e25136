import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiKeyRequest, ApiKeysResponse, CreatedApiKey } from '#contract/api-keys.ts';
import { api } from '#web/shared/api.ts';

const KEY = ['api-keys'];

/** The member's API keys, newest first. */
export const useApiKeys = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api<ApiKeysResponse>('/api/keys', { signal }),
  });

/** Sends a change of the keys and reloads the list. */
function useKeyChange<Input, Output>(
  send: (input: Input) => Promise<Output>,
  onDone: (output: Output) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (output) => {
      void queries.invalidateQueries({ queryKey: KEY });
      onDone(output);
    },
  });
}

export const useCreateKey = (onDone: (key: CreatedApiKey) => void) =>
  useKeyChange(
    (body: ApiKeyRequest) => api<CreatedApiKey>('/api/keys', { method: 'POST', body }),
    onDone,
  );

export const useRotateKey = (onDone: (key: CreatedApiKey) => void) =>
  useKeyChange(
    ({ id, overlapHours }: { id: string; overlapHours: number }) =>
      api<CreatedApiKey>(`/api/keys/${encodeURIComponent(id)}/rotate`, {
        method: 'POST',
        body: { overlapHours },
      }),
    onDone,
  );

export const useRevokeKey = (onDone: () => void) =>
  useKeyChange(
    (id: string) => api<unknown>(`/api/keys/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onDone,
  );
