import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  CreatedWebhook,
  DeliveriesResponse,
  Delivery,
  Webhook,
  WebhookChange,
  WebhookRequest,
  WebhooksResponse,
} from '#contract/webhooks.ts';
import { api } from '#web/shared/api.ts';

const KEY = ['webhooks'];
const pathOf = (id: string): string => `/api/webhooks/${encodeURIComponent(id)}`;

/** The member's webhooks, newest first. */
export const useWebhooks = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api<WebhooksResponse>('/api/webhooks', { signal }),
  });

/** The deliveries of a webhook, newest first. */
export const useDeliveries = (id: string) =>
  useInfiniteQuery({
    queryKey: [...KEY, id, 'deliveries'],
    queryFn: ({ pageParam, signal }) =>
      api<DeliveriesResponse>(
        `${pathOf(id)}/deliveries${pageParam === '' ? '' : `?cursor=${pageParam}`}`,
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

/** Sends a change and reloads the webhooks and, unless `listOnly` is set, their logs. */
function useWebhookAction<Input, Output>(
  send: (input: Input) => Promise<Output>,
  onDone: (output: Output) => void,
  listOnly = false,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (output) => {
      void queries.invalidateQueries({ queryKey: KEY, exact: listOnly });
      onDone(output);
    },
  });
}

export const useCreateWebhook = (onDone: (webhook: CreatedWebhook) => void) =>
  useWebhookAction(
    (body: WebhookRequest) => api<CreatedWebhook>('/api/webhooks', { method: 'POST', body }),
    onDone,
  );

export const useChangeWebhook = (onDone: (webhook: Webhook) => void) =>
  useWebhookAction(
    ({ id, ...body }: WebhookChange & { id: string }) =>
      api<Webhook>(pathOf(id), { method: 'PATCH', body }),
    onDone,
  );

export const useRotateWebhook = (onDone: (webhook: CreatedWebhook) => void) =>
  useWebhookAction(
    ({ id, overlapHours }: { id: string; overlapHours: number }) =>
      api<CreatedWebhook>(`${pathOf(id)}/rotate`, { method: 'POST', body: { overlapHours } }),
    onDone,
  );

export const useDeleteWebhook = (onDone: () => void) =>
  useWebhookAction((id: string) => api<unknown>(pathOf(id), { method: 'DELETE' }), onDone, true);

export const useSendTest = (onDone: (delivery: Delivery) => void) =>
  useWebhookAction(
    (id: string) => api<Delivery>(`${pathOf(id)}/test`, { method: 'POST', body: {} }),
    onDone,
  );

export const useReplay = (id: string, onDone: (delivery: Delivery) => void) =>
  useWebhookAction(
    (delivery: number) =>
      api<Delivery>(`${pathOf(id)}/deliveries/${delivery}/replay`, { method: 'POST', body: {} }),
    onDone,
  );
