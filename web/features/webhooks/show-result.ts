import type { WebhookDelivery } from '#contract/webhooks.ts';
import { formatNumber } from '#contract/language.ts';
import { toast } from '#web/ui/announcer.ts';

/** Says what the endpoint answered to an event that was sent while its owner waits. */
export function showResult({ status, response, error }: WebhookDelivery): void {
  if (status === 'delivered') {
    const answer =
      response === null
        ? ''
        : ` with ${response.status} in ${formatNumber(response.durationMs)} ms`;
    toast(`The endpoint accepted the event${answer}.`);
  } else toast('The endpoint did not accept the event.', { tone: 'bad', note: error ?? '' });
}
