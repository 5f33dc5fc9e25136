import type { ErrorValues } from '#worker/messages/error-entry.ts';
import { randomBytes } from 'node:crypto';
import { PLANS } from '#contract/site.ts';
import { HOUR_MS } from '#contract/time.ts';
import {
  WEBHOOK_EVENTS,
  type CreatedWebhook,
  type Webhook,
  type WebhookChange,
  type WebhookEventType,
  type WebhookRequest,
} from '#contract/webhooks.ts';
import { checkHarm } from '#worker/safety/check-harm.ts';
import type { Reputation } from '#worker/safety/reputation.ts';
import type { Db } from '#worker/db/client.ts';
import { checkTarget, type TargetPolicy } from '#worker/safety/target.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { findOwnDomain, type OwnDomains } from '#worker/safety/own-domain.ts';
import { toWebhook } from '#worker/events/webhook-json.ts';
import { secretOf } from './sign.ts';
import {
  findEndpoint,
  insertEndpoint,
  updateEndpoint,
  type EndpointRow,
} from './endpoint-store.ts';

/** Secrets are derived from `authSecret`. */
export type EndpointContext = {
  db: Db;
  authSecret: string;
  policy: TargetPolicy;
  own: OwnDomains;
  reputation: Reputation | null;
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
    | 'webhook_bad_target';
  values?: Partial<ErrorValues>;
};

const refuse = (
  reason: EndpointRefusal['reason'],
  values: Partial<ErrorValues> = {},
): EndpointRefusal => ({ ok: false, reason, values });

/** Creates an endpoint. Its secret is only ever in this result, and later in that of a rotation. */
export async function createEndpoint(
  context: EndpointContext,
  userId: string,
  request: WebhookRequest,
): Promise<{ ok: true; webhook: CreatedWebhook } | EndpointRefusal> {
  const { db, authSecret, now } = context;
  const checked = await checkUrl(context, request.url);
  if (!checked.ok) return checked;
  const plan = await readPlan(db, userId, now);
  const row: EndpointRow = {
    id: crypto.randomUUID(),
    user_id: userId,
    url: checked.url,
    description: request.description,
    events: joinEvents(request.events),
    salt: newSalt(),
    previous_salt: null,
    previous_until: null,
    created_at: now,
    disabled_at: null,
    disabled_by: null,
    failing_since: null,
    answered_at: null,
  };
  if (!(await insertEndpoint(db, row, PLANS[plan].webhooks)))
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
  { url, description, events, enabled }: WebhookChange,
): Promise<{ ok: true; webhook: Webhook; urlChanged: boolean } | EndpointRefusal> {
  const { db, now } = context;
  const before = await findEndpoint(db, userId, id);
  if (before === undefined) return refuse('unknown_webhook');
  const checked = url === undefined || url === before.url ? null : await checkUrl(context, url);
  if (checked?.ok === false) return checked;
  const disabled =
    enabled === false
      ? { disabled_at: before.disabled_at ?? now, disabled_by: before.disabled_by ?? 'owner' }
      : {};
  const change = {
    description: description ?? before.description,
    ...(events === undefined ? {} : { events: joinEvents(events) }),
    ...disabled,
    // The responses of the former URL say nothing about a new one.
    ...(checked === null ? {} : { url: checked.url, answered_at: null, failing_since: null }),
    ...(enabled === true ? { disabled_at: null, disabled_by: null, failing_since: null } : {}),
  };
  const after = { ...before, ...change };
  if (!(await updateEndpoint(db, before, change, 'change_webhook', now)))
    return refuse('webhook_changed');
  return { ok: true, webhook: toWebhook(after, now), urlChanged: after.url !== before.url };
}

/**
 * Gives an endpoint a new secret; requests are signed with the present one as well for
 * `overlapHours` more.
 */
export async function rotateSecret(
  { db, authSecret, now }: Pick<EndpointContext, 'db' | 'authSecret' | 'now'>,
  userId: string,
  id: string,
  overlapHours: number,
): Promise<{ ok: true; webhook: CreatedWebhook } | EndpointRefusal> {
  const before = await findEndpoint(db, userId, id);
  if (before === undefined) return refuse('unknown_webhook');
  const salts = {
    salt: newSalt(),
    previous_salt: before.salt,
    previous_until: now + overlapHours * HOUR_MS,
  };
  const after = { ...before, ...salts };
  if (!(await updateEndpoint(db, before, salts, 'rotate_webhook', now)))
    return refuse('webhook_changed');
  return {
    ok: true,
    webhook: { ...toWebhook(after, now), secret: secretOf(authSecret, id, after.salt) },
  };
}

/**
 * Applies the link policy and requires https, because events contain private data of the member.
 */
async function checkUrl(
  { db, policy, own, reputation, now }: EndpointContext,
  raw: string,
): Promise<{ ok: true; url: string } | EndpointRefusal> {
  const check = checkTarget(raw, policy);
  if (!check.ok) return refuse('webhook_bad_target', { target: check.reason });
  const url = new URL(check.target.href);
  const domain = findOwnDomain(url.hostname, own);
  if (domain !== null) return refuse('webhook_on_own_domain', { detail: domain });
  if (url.protocol !== 'https:') return refuse('webhook_not_https');
  url.hash = '';
  const harm = await checkHarm(
    db,
    { href: url.href, host: check.target.host },
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
