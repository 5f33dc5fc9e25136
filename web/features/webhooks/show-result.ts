import type { WebhookDelivery } from '#contract/webhooks.ts';
import { formatNumber } from '#contract/language.ts';
import { toast } from '#web/ui/announcer.ts';

/** Shows in a toast how the endpoint responded to a test event. */
export function showResult({ status, response, error }: WebhookDelivery): void {
  if (status === 'delivered') {
    const answer =
      response === null
        ? ''
        : ` with ${response.status} in ${formatNumber(response.durationMs)} ms`;
    toast(`The endpoint accepted the event${answer}.`);
  } else toast('The endpoint did not accept the event.', { tone: 'bad', note: error ?? '' });
}
