import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  CreatedWebhook,
  DeliveriesResponse,
  WebhookDelivery,
  Webhook,
  WebhookChange,
  WebhookRequest,
  WebhooksResponse,
} from '#contract/webhooks.ts';
import { api } from '#web/shared/api.ts';
import { useSend } from '#web/shared/use-send.ts';

const LIST = ['webhooks'];
const LOG = ['deliveries'];
const pathOf = (id: string): string => `/api/webhooks/${encodeURIComponent(id)}`;

export const useWebhooks = () =>
  useQuery({
    queryKey: LIST,
    queryFn: ({ signal }) => api<WebhooksResponse>('/api/webhooks', { signal }),
  });

export const useDeliveries = (id: string) =>
  useInfiniteQuery({
    queryKey: [...LOG, id],
    queryFn: ({ pageParam, signal }) =>
      api<DeliveriesResponse>(
        `${pathOf(id)}/deliveries${pageParam === '' ? '' : `?cursor=${pageParam}`}`,
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export const useCreateWebhook = (onDone: (webhook: CreatedWebhook) => void) =>
  useSend(
    (body: WebhookRequest) => api<CreatedWebhook>('/api/webhooks', { method: 'POST', body }),
    [LIST, LOG],
    onDone,
  );

export const useChangeWebhook = (onDone: (webhook: Webhook) => void) =>
  useSend(
    ({ id, ...body }: WebhookChange & { id: string }) =>
      api<Webhook>(pathOf(id), { method: 'PATCH', body }),
    [LIST, LOG],
    onDone,
  );

export const useRotateWebhook = (onDone: (webhook: CreatedWebhook) => void) =>
  useSend(
    ({ id, overlapHours }: { id: string; overlapHours: number }) =>
      api<CreatedWebhook>(`${pathOf(id)}/rotate`, { method: 'POST', body: { overlapHours } }),
    [LIST, LOG],
    onDone,
  );

export const useDeleteWebhook = (onDone: () => void) =>
  useSend((id: string) => api(pathOf(id), { method: 'DELETE' }), [LIST], onDone);

export const useSendTest = (onDone: (delivery: WebhookDelivery) => void) =>
  useSend(
    (id: string) => api<WebhookDelivery>(`${pathOf(id)}/test`, { method: 'POST', body: {} }),
    [LIST, LOG],
    onDone,
  );

export const useReplayDelivery = (id: string, onDone: (delivery: WebhookDelivery) => void) =>
  useSend(
    (delivery: number) =>
      api<WebhookDelivery>(`${pathOf(id)}/deliveries/${delivery}/replay`, {
        method: 'POST',
        body: {},
      }),
    [LIST, LOG],
    onDone,
  );
