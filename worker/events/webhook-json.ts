import { type Webhook } from '#contract/webhooks/webhooks.ts';
import { WEBHOOK_EVENTS } from '#contract/webhooks/webhook-events.ts';
import type { webhook_endpoints } from '#worker/db/schema-api.ts';

/**
 * The stored address of an endpoint without one. No host below `.invalid` exists (RFC 2606), so an
 * earlier release cannot send anything there either.
 */
export const NO_ADDRESS = 'https://listener.invalid/';

const timestamp = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

export function toWebhook(row: typeof webhook_endpoints.$inferSelect, now: number): Webhook {
  const overlaps = row.previous_until !== null && row.previous_until > now;
  return {
    id: row.id,
    url: row.url === NO_ADDRESS ? null : row.url,
    description: row.description,
    events: WEBHOOK_EVENTS.filter((event) => row.events.split(' ').includes(event)),
    tag: row.tag === '' ? null : row.tag,
    createdAt: new Date(row.created_at).toISOString(),
    disabled:
      row.disabled_at === null
        ? null
        : { at: new Date(row.disabled_at).toISOString(), by: row.disabled_by ?? 'owner' },
    failingSince: timestamp(row.failing_since),
    previousSecretUntil: overlaps ? timestamp(row.previous_until) : null,
  };
}
