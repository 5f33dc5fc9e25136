import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  DeliveriesResponse,
  WebhookDelivery,
  Webhook,
  WebhookChange,
  WebhooksResponse,
} from '#contract/webhooks/webhooks.ts';
import { api } from '#web/shared/api/api.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { useSend } from '#web/shared/api/use-send.ts';

export const WEBHOOK_LIST = ['webhooks'];
const LOG = ['deliveries'];
/** The queries that show a change of a webhook. */
export const WEBHOOK_QUERIES = [WEBHOOK_LIST, LOG];
export const webhookPath = (id: string): string => `/api/webhooks/${encodeURIComponent(id)}`;

/** The address of a webhook, as text for people. */
export const addressOf = ({ url }: Webhook): string =>
  url === null ? 'No address: a program reads its events' : readableUrl(url);

export const useWebhooks = () =>
  useQuery({
    queryKey: WEBHOOK_LIST,
    queryFn: ({ signal }) => api<WebhooksResponse>('/api/webhooks', { signal }),
  });

export const useDeliveries = (id: string) =>
  useInfiniteQuery({
    queryKey: [...LOG, id],
    queryFn: ({ pageParam, signal }) =>
      api<DeliveriesResponse>(
        `${webhookPath(id)}/deliveries${pageParam === '' ? '' : `?cursor=${pageParam}`}`,
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

export const useChangeWebhook = (onDone: (webhook: Webhook) => void) =>
  useSend(
    ({ id, ...body }: WebhookChange & { id: string }) =>
      api<Webhook>(webhookPath(id), { method: 'PATCH', body }),
    WEBHOOK_QUERIES,
    onDone,
  );

export const useSendTest = (onDone: (delivery: WebhookDelivery, id: string) => void) =>
  useSend(
    (id: string) => api<WebhookDelivery>(`${webhookPath(id)}/test`, { method: 'POST', body: {} }),
    WEBHOOK_QUERIES,
    onDone,
  );

export const useReplayDelivery = (id: string, onDone: (delivery: WebhookDelivery) => void) =>
  useSend(
    (delivery: number) =>
      api<WebhookDelivery>(`${webhookPath(id)}/deliveries/${delivery}/replay`, {
        method: 'POST',
        body: {},
      }),
    WEBHOOK_QUERIES,
    onDone,
  );
