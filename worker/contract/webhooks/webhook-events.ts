/** The events of webhooks. Without schemas, because the command line contains this file. */

export const LINK_EVENTS = [
  'link.created',
  'link.updated',
  'link.disabled',
  'link.expired',
  'link.unreachable',
  'link.recovered',
  'link.deleted',
] as const;
export type LinkEvent = (typeof LINK_EVENTS)[number];
export const WEBHOOK_EVENTS = [...LINK_EVENTS, 'link.clicked'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];
/** An endpoint is disabled once all its attempts have failed for this long. */
export const WEBHOOK_FAILING_DAYS = 5;
/** The event of *Send test event*. Every endpoint gets it. */
export const TEST_EVENT = 'webhook.test';

/** The texts for the page that manages endpoints and for the OpenAPI document. */
export const WEBHOOK_EVENT_TEXTS: Readonly<Record<WebhookEventType, string>> = {
  'link.created':
    'A link was created, restored from the trash, or a link made without an account was added to yours.',
  'link.updated':
    'Anything else about a link changed, such as its destination, code, end date, title, note or tags, or it was enabled or archived.',
  'link.disabled': 'A link stopped redirecting: you disabled it, or moderation did.',
  'link.expired': 'The end date of a link has passed.',
  'link.unreachable':
    'The destination of a watched link has failed three checks over at least 24 hours.',
  'link.recovered': 'The unreachable destination of a watched link works again.',
  'link.deleted': 'A link was deleted.',
  'link.clicked': 'People clicked a link: their number, about once a minute for each link.',
};
