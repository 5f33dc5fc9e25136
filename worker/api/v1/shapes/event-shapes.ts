import { clickedEvent, linkEvent, testEvent, webhookLink } from '#contract/webhooks/webhooks.ts';
import { describeAnswer, describeValue, type NamedSchema } from './shape.ts';
import { EVENT_LINK_TEXTS } from './link-shapes.ts';

/** The OpenAPI schemas of the events that webhooks get. */

const EVENT = {
  type: 'Which event it is.',
  timestamp: 'When it happened; the same in every attempt.',
  sequence:
    'Rises with every change of the link. An event with a lower number than one that you have of it is older.',
};

export const EVENT_SHAPES: readonly NamedSchema[] = [
  describeValue(
    'EventLinkStatus',
    webhookLink.shape.status,
    'Whether the link redirects, or `deleted`.',
  ),
  describeAnswer('EventLink', webhookLink, 'The link right after the event.', EVENT_LINK_TEXTS),
  describeAnswer('LinkEvent', linkEvent, 'A change of a link.', { ...EVENT, data: 'The link.' }),
  describeAnswer('LinkEventData', linkEvent.shape.data, 'The link of an event.', {
    link: 'The link right after the event.',
    changed:
      'The members of `link` that differ from before; empty for `link.created`. `hasPassword` also if another password replaced one.',
  }),
  describeAnswer(
    'ClickedEvent',
    clickedEvent,
    'Clicks of people between two times, without data about a single person or click.',
    { ...EVENT, data: 'The clicks.' },
  ),
  describeAnswer('ClickedEventData', clickedEvent.shape.data, 'Clicks on one link.', {
    linkId: 'The id of the link.',
    code: 'The code of the link.',
    shortUrl: 'The short URL.',
    externalId: 'The id that your own system has for the link; null if it has none.',
    clicks: 'Clicks of people.',
    from: 'The time of the first of these clicks.',
    to: 'The time of the last of these clicks.',
  }),
  describeAnswer('TestEvent', testEvent, 'An event that somebody has asked for.', {
    ...EVENT,
    data: 'The webhook.',
  }),
  describeAnswer('TestEventData', testEvent.shape.data, 'The webhook that was tested.', {
    webhookId: 'The id of the webhook.',
  }),
];
