import type { Context } from 'hono';
import type {
  CreatedWebhook,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookRequest,
} from '#contract/webhooks/webhooks.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { changeAndNotify } from '#worker/auth/notices/change-and-notify.ts';
import { valueOrThrow } from '#worker/auth/service/errors.ts';
import { NO_ADDRESS } from '#worker/events/webhook-json.ts';
import { secondsToNextDay } from '#worker/http/allowances.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError, type ApiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { targetPolicy } from '#worker/safety/target-policy.ts';
import { composeMail, type Mail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { ownDomains } from '#worker/safety/own-domain.ts';
import { createReputation } from '#worker/safety/reputation.ts';
import { allowsLoopback } from './allows-loopback.ts';
import { deliverAttempts, deliverOptions } from './deliver.ts';
import { insertTestDelivery, readDelivery, restartDelivery } from './delivery-log.ts';
import { deleteEndpoint, findEndpoint, type EndpointRow } from './endpoint-store.ts';
import {
  changeEndpoint,
  createEndpoint,
  rotateSecret,
  type EndpointContext,
  type EndpointRefusal,
} from './manage-endpoints.ts';

type C = Context<ApiEnv>;

/** The owner of endpoints, in a session or through an API key. Each function throws ApiError. */
export type Owner = { id: string; email: string; keyName: string | null };

export const createWebhook = (
  c: C,
  owner: Owner,
  request: WebhookRequest,
): Promise<CreatedWebhook> =>
  withNotice(
    c,
    owner,
    async () => webhookOf(await createEndpoint(contextOf(c, owner), owner.id, request)),
    ({ webhook }) => webhook.url,
  );

export async function changeWebhook(
  c: C,
  owner: Owner,
  id: string,
  request: WebhookChange,
): Promise<Webhook> {
  const change = async () =>
    webhookOf(await changeEndpoint(contextOf(c, owner), owner.id, id, request));
  if (request.url === undefined) return (await change()).webhook;
  return withNotice(c, owner, change, ({ webhook, urlChanged }) =>
    urlChanged ? webhook.url : null,
  );
}

export async function rotateWebhook(
  c: C,
  owner: Owner,
  id: string,
  overlapHours: number,
): Promise<CreatedWebhook> {
  const result = await rotateSecret(contextOf(c, owner), owner.id, id, overlapHours);
  return webhookOf(result).webhook;
}

export async function deleteWebhook(c: C, owner: Owner, id: string): Promise<void> {
  const by = { now: c.get('now'), keyName: owner.keyName };
  if (!(await deleteEndpoint(c.get('db'), owner.id, id, by))) throw apiError('unknown_webhook');
}

/** Throws 404 for an endpoint of somebody else. */
export async function requireEndpoint(c: C, owner: Owner, id: string): Promise<EndpointRow> {
  const row = await findEndpoint(c.get('db'), owner.id, id);
  if (row === undefined) throw apiError('unknown_webhook');
  return row;
}

export async function sendTest(c: C, owner: Owner, endpointId: string): Promise<WebhookDelivery> {
  const { id } = await requireEndpoint(c, owner, endpointId);
  await limitAttempts(c, owner);
  const delivery = await insertTestDelivery(c.get('db'), id, c.get('now'));
  if (delivery === null) throw await noRoom(c, owner);
  return attemptNow(c, id, delivery);
}

export async function sendAgain(
  c: C,
  owner: Owner,
  endpointId: string,
  delivery: number,
): Promise<WebhookDelivery> {
  const { id, url } = await requireEndpoint(c, owner, endpointId);
  if (url === NO_ADDRESS) throw apiError('webhook_without_address');
  await limitAttempts(c, owner);
  const result = await restartDelivery(c.get('db'), id, delivery, c.get('now'));
  if (result === 'restarted') return attemptNow(c, id, delivery);
  if (result === 'no_room') throw await noRoom(c, owner);
  if ((await readDelivery(c.get('db'), id, delivery, c.get('origins'))) === null)
    throw apiError('unknown_delivery');
  throw apiError('delivery_waits');
}

function webhookOf<Result extends { ok: true }>(result: Result | EndpointRefusal): Result {
  if (result.ok) return result;
  throw apiError(result.reason, result.values);
}

async function noRoom(c: C, { id }: Owner): Promise<ApiError> {
  const now = c.get('now');
  const plan = await readPlan(c.get('db'), id, now);
  return apiError('deliveries_used_up', {
    plan,
    upgradeRequired: plan === 'free',
    retryAfter: secondsToNextDay(now),
  });
}

/** Limits the two routes that send a request at once; all others send only when an event occurs. */
const limitAttempts = (c: C, { id }: Owner): Promise<void> =>
  rateLimit(c.env.LIMIT_VISITOR_LINKS, `webhook:${id}`);

/**
 * Makes the first attempt of a delivery in this request, so that its owner sees the response.
 * Further attempts go through the queue.
 */
async function attemptNow(c: C, endpointId: string, id: number): Promise<WebhookDelivery> {
  const db = c.get('db');
  const origins = c.get('origins');
  await deliverAttempts(db, [{ id, attempt: 0 }], deliverOptions(c.env, origins, c.get('now')));
  const delivery = await readDelivery(db, endpointId, id, origins);
  if (delivery === null) throw apiError('unknown_webhook');
  return delivery;
}

const contextOf = (c: C, { keyName }: Owner): EndpointContext => ({
  db: c.get('db'),
  authSecret: authSecret(c.env),
  policy: targetPolicy(requestContext(c)),
  own: ownDomains(c.env, c.get('origins')),
  reputation: createReputation(c.env.REPUTATION_DOH_URL, fetch),
  allowsLoopback: allowsLoopback(c.env, c.get('origins')),
  keyName,
  now: c.get('now'),
});

/**
 * Makes a change and emails its owner the URL that gets events from now on, because an endpoint
 * outlives the session that created it and learns of every link. `urlOf` returns the new URL, or
 * null if there is none.
 */
async function withNotice<Result extends { webhook: Webhook }>(
  c: C,
  { email }: Owner,
  change: () => Promise<Result>,
  urlOf: (result: Result) => string | null,
): Promise<Result['webhook']> {
  const mailOf = (result: Result): Mail | null => {
    const url = urlOf(result);
    return url === null
      ? null
      : composeMail(
          email,
          MAILS.webhook(new URL(url).host),
          `${c.get('origins').app}/settings/webhooks`,
        );
  };
  const context = requestContext(c);
  const told = await changeAndNotify(context, { email, kind: 'key', change, mailOf });
  return valueOrThrow(told).webhook;
}
