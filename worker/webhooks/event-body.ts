import type { LinkKey } from '#contract/codes/link-key.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import { type WebhookEvent, type WebhookLink } from '#contract/webhooks/webhooks.ts';
import { LINK_EVENTS, TEST_EVENT, type LinkEvent } from '#contract/webhooks/webhook-events.ts';
import { NO_SETTINGS } from '#worker/db/link-settings.ts';
import { visibleExternalId } from '#worker/links/read/external-ids.ts';
import { toLinkJson, type LinkFacts, type LinkReader } from '#worker/links/read/link-json.ts';

export type StoredEvent = {
  endpoint_id: string;
  type: string;
  link_id: number | null;
  sequence: number;
  data: string;
  created_at: number;
};

type ClickData = {
  code: string;
  externalId: string | null;
  clicks: number;
  from: number;
  to: number;
};

type LinkData = Omit<LinkFacts, 'id'> & { changed: string[] };

/** The members that an event of an earlier release lacks. */
const BEFORE = {
  ...NO_SETTINGS,
  importedClicks: null,
  card: null,
  health: null,
  tags: [],
  changed: [],
};

/** The key of the link that an event is about, as a list, which is empty for a test. */
export function keyOf({ data }: Pick<StoredEvent, 'data'>): LinkKey[] {
  const { code }: { code?: unknown } = JSON.parse(data);
  return typeof code === 'string' ? [code] : [];
}

/**
 * Returns the JSON text that an endpoint gets. It is the same for every attempt, so that receivers
 * can recognize a repetition.
 */
export function eventBody(event: StoredEvent, reader: LinkReader): string {
  return JSON.stringify(toEvent(event, reader));
}

function toEvent(
  { endpoint_id, type, link_id, sequence, data, created_at }: StoredEvent,
  reader: LinkReader,
): WebhookEvent {
  const time = (ms: number): string => new Date(ms).toISOString();
  const timestamp = time(created_at);
  if (type === TEST_EVENT) return { type, timestamp, sequence, data: { webhookId: endpoint_id } };
  if (type === 'link.clicked') {
    const { code, externalId, clicks, from, to }: ClickData = JSON.parse(data);
    const shortUrl = shortUrlOf(reader.origins, code);
    return {
      type,
      timestamp,
      sequence,
      data: {
        linkId: reader.linkIds.show(link_id ?? 0),
        code,
        shortUrl,
        externalId: visibleExternalId(externalId, ''),
        clicks,
        from: time(from),
        to: time(to),
      },
    };
  }
  const { changed, ...state }: LinkData = { ...BEFORE, ...JSON.parse(data) };
  const json = toLinkJson({ ...state, id: link_id ?? 0 }, reader, created_at);
  const link: WebhookLink =
    state.status === 'deleted'
      ? { ...json, status: 'deleted', state: 'deleted', statusReason: null }
      : json;
  return { type: linkEventOf(type), timestamp, sequence, data: { link, changed } };
}

function linkEventOf(type: string): LinkEvent {
  const known = LINK_EVENTS.find((event) => event === type);
  if (known === undefined) throw new Error(`Unknown event: ${type}`);
  return known;
}
