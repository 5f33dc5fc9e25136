import type { ErrorValues } from '#worker/messages/error-entry.ts';
import { randomBytes } from 'node:crypto';
import { PLANS } from '#contract/site.ts';
import { HOUR_MS } from '#contract/time.ts';
import {
  type CreatedWebhook,
  type Webhook,
  type WebhookChange,
  type WebhookRequest,
} from '#contract/webhooks/webhooks.ts';
import { WEBHOOK_EVENTS, type WebhookEventType } from '#contract/webhooks/webhook-events.ts';
import { checkHarm } from '#worker/safety/check-harm.ts';
import { isLoopback } from '#worker/http/origins.ts';
import type { Reputation } from '#worker/safety/reputation.ts';
import type { Db } from '#worker/db/client.ts';
import { checkTarget, type TargetPolicy } from '#worker/safety/target.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { findOwnDomain, type OwnDomains } from '#worker/safety/own-domain.ts';
import { NO_ADDRESS, toWebhook } from '#worker/events/webhook-json.ts';
import { idsOfTags, listTags } from '#worker/tags/tags.ts';
import { secretOf } from './sign.ts';
import {
  findEndpoint,
  insertEndpoint,
  updateEndpoint,
  type EndpointRow,
} from './endpoint-store.ts';

/**
 * Secrets are derived from `authSecret`. `keyName` is the API key that acts; null for a session.
 * `allowsLoopback` is true on a developer's machine.
 */
export type EndpointContext = {
  db: Db;
  authSecret: string;
  policy: TargetPolicy;
  own: OwnDomains;
  reputation: Reputation | null;
  allowsLoopback: boolean;
  keyName: string | null;
  now: number;
};

/** `plan` is the member's plan, `detail` the domain of this site. */
export type EndpointRefusal = {
  ok: false;
  reason:
    | 'unknown_webhook'
    | 'webhook_changed'
    | 'too_many_webhooks'
    | 'webhook_on_own_domain'
    | 'webhook_not_https'
    | 'unknown_webhook_tag'
    | 'webhook_bad_target';
  values?: Partial<ErrorValues>;
};

const refuse = (
  reason: EndpointRefusal['reason'],
  values: Partial<ErrorValues> = {},
): EndpointRefusal => ({ ok: false, reason, values });

const UNKNOWN_TAG = refuse('unknown_webhook_tag');

/** Creates an endpoint. Only this result, and that of a rotation, contains the secret. */
export async function createEndpoint(
  context: EndpointContext,
  userId: string,
  request: WebhookRequest,
): Promise<{ ok: true; webhook: CreatedWebhook } | EndpointRefusal> {
  const { db, authSecret, now } = context;
  const checked =
    request.url === null
      ? { ok: true as const, url: NO_ADDRESS }
      : await checkUrl(context, request.url);
  if (!checked.ok) return checked;
  const tag = await findTagName(db, userId, request.tag ?? null);
  if (tag === null) return UNKNOWN_TAG;
  const plan = await readPlan(db, userId, now);
  const row: EndpointRow = {
    id: crypto.randomUUID(),
    user_id: userId,
    url: checked.url,
    description: request.description,
    events: joinEvents(request.events),
    tag,
    salt: newSalt(),
    previous_salt: null,
    previous_until: null,
    created_at: now,
    disabled_at: null,
    disabled_by: null,
    failing_since: null,
    answered_at: null,
  };
  if (!(await insertEndpoint(db, row, PLANS[plan].webhooks, context)))
    return refuse('too_many_webhooks', { plan });
  return {
    ok: true,
    webhook: { ...toWebhook(row, now), secret: secretOf(authSecret, row.id, row.salt) },
  };
}

/** Changes a member's endpoint. `urlChanged` is true if events go to another URL from now on. */
export async function changeEndpoint(
  context: EndpointContext,
  userId: string,
  id: string,
  { url, description, events, tag: tagName, enabled }: WebhookChange,
): Promise<{ ok: true; webhook: Webhook; urlChanged: boolean } | EndpointRefusal> {
  const { db, now } = context;
  const before = await findEndpoint(db, userId, id);
  if (before === undefined) return refuse('unknown_webhook');
  const checked = url === undefined || url === before.url ? null : await checkUrl(context, url);
  if (checked?.ok === false) return checked;
  const keepsTag = tagName === undefined || tagName === before.tag;
  const tag = keepsTag ? before.tag : await findTagName(db, userId, tagName);
  if (tag === null) return UNKNOWN_TAG;
  const disabled =
    enabled === false
      ? { disabled_at: before.disabled_at ?? now, disabled_by: before.disabled_by ?? 'owner' }
      : {};
  const change = {
    description: description ?? before.description,
    tag,
    ...(events === undefined ? {} : { events: joinEvents(events) }),
    ...disabled,
    // The responses of the former URL say nothing about a new one.
    ...(checked === null ? {} : { url: checked.url, answered_at: null, failing_since: null }),
    ...(enabled === true ? { disabled_at: null, disabled_by: null, failing_since: null } : {}),
  };
  const after = { ...before, ...change };
  if (!(await updateEndpoint(db, before, change, 'change_webhook', context)))
    return refuse('webhook_changed');
  return { ok: true, webhook: toWebhook(after, now), urlChanged: after.url !== before.url };
}

/**
 * Gives an endpoint a new secret; requests are signed with the present one as well for
 * `overlapHours` more.
 */
export async function rotateSecret(
  context: Pick<EndpointContext, 'db' | 'authSecret' | 'now' | 'keyName'>,
  userId: string,
  id: string,
  overlapHours: number,
): Promise<{ ok: true; webhook: CreatedWebhook } | EndpointRefusal> {
  const { db, authSecret, now } = context;
  const before = await findEndpoint(db, userId, id);
  if (before === undefined) return refuse('unknown_webhook');
  const salts = {
    salt: newSalt(),
    previous_salt: before.salt,
    previous_until: now + overlapHours * HOUR_MS,
  };
  const after = { ...before, ...salts };
  if (!(await updateEndpoint(db, before, salts, 'rotate_webhook', context)))
    return refuse('webhook_changed');
  return {
    ok: true,
    webhook: { ...toWebhook(after, now), secret: secretOf(authSecret, id, after.salt) },
  };
}

/** Returns the tag as it is spelled, '' for no tag; null if the member has no such tag. */
async function findTagName(db: Db, userId: string, name: string | null): Promise<string | null> {
  if (name === null) return '';
  const tags = await listTags(db, userId);
  const [id] = idsOfTags(tags, [name.normalize('NFC')]);
  return tags.find((tag) => tag.id === id)?.name ?? null;
}

/**
 * Applies the link policy and requires https, because events contain private data of the member. On
 * a developer's machine an endpoint may be there, too.
 */
async function checkUrl(
  { db, policy, own, reputation, allowsLoopback, now }: EndpointContext,
  raw: string,
): Promise<{ ok: true; url: string } | EndpointRefusal> {
  const local = allowsLoopback ? URL.parse(raw.trim()) : null;
  if (local !== null && /^https?:$/.test(local.protocol) && isLoopback(local.href))
    return { ok: true, url: local.href };
  const check = checkTarget(raw, policy);
  if (!check.ok) return refuse('webhook_bad_target', { target: check.reason });
  const url = new URL(check.target.href);
  const domain = findOwnDomain(url.hostname, own);
  if (domain !== null) return refuse('webhook_on_own_domain', { detail: domain });
  if (url.protocol !== 'https:') return refuse('webhook_not_https');
  url.hash = '';
  const harm = await checkHarm(
    db,
    [{ href: url.href, host: check.target.host }],
    reputation,
    true,
    now,
  );
  return harm.ok
    ? { ok: true, url: url.href }
    : refuse('webhook_bad_target', { target: harm.reason });
}

const newSalt = (): string => randomBytes(18).toString('base64url');

const joinEvents = (events: readonly WebhookEventType[]): string =>
  WEBHOOK_EVENTS.filter((event) => events.includes(event)).join(' ');
