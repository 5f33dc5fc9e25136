import { useQuery } from '@tanstack/react-query';
import type { ApiKeyRequest, ApiKeysResponse, CreatedApiKey } from '#contract/api-keys.ts';
import { api } from '#web/shared/api.ts';
import { useSend } from '#web/shared/use-send.ts';

const KEYS = [['api-keys']];
const pathOf = (id: string): string => `/api/keys/${encodeURIComponent(id)}`;

export const useApiKeys = () =>
  useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => api<ApiKeysResponse>('/api/keys', { signal }),
  });

export const useCreateKey = (onDone: (key: CreatedApiKey) => void) =>
  useSend(
    (body: ApiKeyRequest) => api<CreatedApiKey>('/api/keys', { method: 'POST', body }),
    KEYS,
    onDone,
  );

export const useRotateKey = (onDone: (key: CreatedApiKey) => void) =>
  useSend(
    ({ id, ...body }: { id: string; overlapHours: number }) =>
      api<CreatedApiKey>(`${pathOf(id)}/rotate`, { method: 'POST', body }),
    KEYS,
    onDone,
  );

export const useRevokeKey = (onDone: () => void) =>
  useSend((id: string) => api(pathOf(id), { method: 'DELETE' }), KEYS, onDone);
