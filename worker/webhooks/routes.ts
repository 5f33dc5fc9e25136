import { Hono, type Context } from 'hono';
import { PLANS } from '#contract/site.ts';
import {
  deliveriesQuery,
  webhookChange,
  webhookRequest,
  webhookRotateRequest,
  type WebhookDelivery,
  type WebhooksResponse,
} from '#contract/webhooks.ts';
import { changeAndNotify } from '#worker/auth/notices/change-and-notify.ts';
import { composeMail, type Mail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { createReputation } from '#worker/safety/reputation.ts';
import { idFromCursor } from '#worker/db/paginate.ts';
import { secondsToNextDay } from '#worker/http/allowances.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError, type ApiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { readJson, readQuery, requireMember } from '#worker/http/validate.ts';
import { targetPolicy } from '#worker/links/write/write-links.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { deliverAttempts, deliverOptions } from './deliver.ts';
import { countNotSent } from '#worker/events/delivery-allowance.ts';
import {
  insertTestDelivery,
  listDeliveries,
  readDelivery,
  restartDelivery,
} from './delivery-log.ts';
import { deleteEndpoint, findEndpoint, listEndpoints } from './endpoint-store.ts';
import { toWebhook } from '#worker/events/webhook-json.ts';
import {
  changeEndpoint,
  createEndpoint,
  rotateSecret,
  type EndpointContext,
} from './manage-endpoints.ts';
import { ownDomains } from '#worker/safety/own-domain.ts';

/**
 * The webhooks of the signed-in member. These routes accept only a session, so an API key cannot
 * manage webhooks.
 */
export const webhooksRoutes = new Hono<ApiEnv>();

type C = Context<ApiEnv>;

webhooksRoutes.get('/webhooks', async (c) => {
  const { id } = requireMember(c);
  const [rows, plan] = await Promise.all([
    listEndpoints(c.get('db'), id),
    readPlan(c.get('db'), id, c.get('now')),
  ]);
  const { webhooks: endpoints, webhookDeliveries: deliveriesPerDay } = PLANS[plan];
  const webhooks = rows.map((row) => toWebhook(row, c.get('now')));
  const notSent = await countNotSent(c.get('db'), id, deliveriesPerDay, c.get('now'));
  return c.json({
    webhooks,
    limits: { endpoints, deliveriesPerDay },
    notSent,
  } satisfies WebhooksResponse);
});

webhooksRoutes.post('/webhooks', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const request = readJson(c, webhookRequest);
  const result = await withNotice(
    c,
    () => createEndpoint(endpointContext(c), id, request),
    (created) => (created.ok ? created.webhook.url : null),
  );
  if (!result.ok) throw apiError(result.reason, result.values);
  return c.json(result.webhook, 201);
});

webhooksRoutes.patch('/webhooks/:id', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const request = readJson(c, webhookChange);
  const change = () => changeEndpoint(endpointContext(c), id, c.req.param('id'), request);
  const urlOf = (changed: Awaited<ReturnType<typeof change>>) =>
    changed.ok && changed.urlChanged ? changed.webhook.url : null;
  const result = await (request.url === undefined ? change() : withNotice(c, change, urlOf));
  if (!result.ok) throw apiError(result.reason, result.values);
  return c.json(result.webhook);
});

webhooksRoutes.post('/webhooks/:id/rotate', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const { overlapHours } = readJson(c, webhookRotateRequest);
  const result = await rotateSecret(endpointContext(c), id, c.req.param('id'), overlapHours);
  if (!result.ok) throw apiError(result.reason, result.values);
  return c.json(result.webhook);
});

webhooksRoutes.delete('/webhooks/:id', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  if (!(await deleteEndpoint(c.get('db'), id, c.req.param('id'), c.get('now'))))
    throw apiError('unknown_webhook');
  return c.json({ success: true });
});

webhooksRoutes.get('/webhooks/:id/deliveries', async (c) => {
  const { cursor } = readQuery(c, deliveriesQuery);
  const { id } = await ownEndpoint(c);
  return c.json(await listDeliveries(c.get('db'), id, cursor, c.get('origins').short));
});

webhooksRoutes.post('/webhooks/:id/test', async (c) => {
  const { id } = await ownEndpoint(c);
  await limitAttempts(c);
  const delivery = await insertTestDelivery(c.get('db'), id, c.get('now'));
  if (delivery === null) throw await noRoom(c);
  return c.json(await attemptNow(c, id, delivery));
});

webhooksRoutes.post('/webhooks/:id/deliveries/:delivery/replay', async (c) => {
  const { id } = await ownEndpoint(c);
  await limitAttempts(c);
  const delivery = idFromCursor(c.req.param('delivery')) ?? 0;
  const result = await restartDelivery(c.get('db'), id, delivery, c.get('now'));
  if (result === 'restarted') return c.json(await attemptNow(c, id, delivery));
  if (result === 'no_room') throw await noRoom(c);
  if ((await readDelivery(c.get('db'), id, delivery, c.get('origins').short)) === null)
    throw apiError('unknown_delivery');
  throw apiError('delivery_waits');
});

async function noRoom(c: C): Promise<ApiError> {
  const now = c.get('now');
  const plan = await readPlan(c.get('db'), requireMember(c).id, now);
  return apiError('deliveries_used_up', {
    plan,
    upgradeRequired: plan === 'free',
    retryAfter: secondsToNextDay(now),
  });
}

async function ownEndpoint(c: C) {
  const row = await findEndpoint(c.get('db'), requireMember(c).id, c.req.param('id') ?? '');
  if (row === undefined) throw apiError('unknown_webhook');
  return row;
}

/** Limits the two routes that send a request at once; all others send only when an event occurs. */
const limitAttempts = (c: C): Promise<void> =>
  rateLimit(c.env.LIMIT_VISITOR_LINKS, `webhook:${requireMember(c).id}`);

/**
 * Makes the first attempt of a delivery in this request, so that its owner sees the response.
 * Further attempts go through the queue.
 */
async function attemptNow(c: C, endpointId: string, id: number): Promise<WebhookDelivery> {
  const db = c.get('db');
  const origins = c.get('origins');
  await deliverAttempts(db, [{ id, attempt: 0 }], deliverOptions(c.env, origins, c.get('now')));
  const delivery = await readDelivery(db, endpointId, id, origins.short);
  if (delivery === null) throw apiError('unknown_webhook');
  return delivery;
}

const endpointContext = (c: C): EndpointContext => ({
  db: c.get('db'),
  authSecret: authSecret(c.env),
  policy: targetPolicy(requestContext(c)),
  own: ownDomains(c.env, c.get('origins')),
  reputation: createReputation(c.env.REPUTATION_DOH_URL, fetch),
  now: c.get('now'),
});

/**
 * Makes a change and emails its owner the URL that gets events from now on, because an endpoint
 * outlives the session that created it and learns of every link. `urlOf` returns the new URL, or
 * null if there is none.
 */
function withNotice<T>(
  c: C,
  change: () => Promise<T>,
  urlOf: (result: T) => string | null,
): Promise<T> {
  const { email } = requireMember(c);
  const mailOf = (result: T): Mail | null => {
    const url = urlOf(result);
    return url === null
      ? null
      : composeMail(
          email,
          MAILS.webhook(new URL(url).host),
          `${c.get('origins').app}/settings/webhooks`,
        );
  };
  return changeAndNotify(requestContext(c), { email, kind: 'key', change, mailOf });
}
