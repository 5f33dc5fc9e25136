import { Hono } from 'hono';
import type { Context } from 'hono';
import type { ErrorCode } from '#contract/errors.ts';
import { shortenRequest, type ShortenResponse } from '#contract/links.ts';
import { networkOf } from '#worker/api/address.ts';
import type { ApiEnv } from '#worker/api/context.ts';
import { logEvent } from '#worker/api/log.ts';
import { ApiError } from '#worker/api/problem.ts';
import { shield } from '#worker/api/rate-limit.ts';
import { readJson } from '#worker/api/validate.ts';
import { cryptoBytes } from './codes.ts';
import type { PolicyContext } from './destination.ts';
import { publishLinks } from './publish.ts';
import { shorten, type Maker, type NotShortened } from './shorten.ts';
import { shortenerHosts } from './shorteners.ts';
import { secondsToNextDay } from './visitor-allowance.ts';

export const linksRoutes = new Hono<ApiEnv>();

linksRoutes.post('/shorten', async (c) => {
  const identity = c.get('identity');
  const network = networkOf(c.req.raw);
  if (identity === null)
    await shield(c.env.LIMIT_VISITOR_LINKS, network, 'Too many links in a short time. Please wait a minute.');
  else await shield(c.env.LIMIT_WRITES, identity.id);
  const body = await readJson(c, shortenRequest);
  const now = c.get('now');
  // An empty alias field means no alias: forms send it so.
  const alias = body.customCode === undefined || body.customCode === '' ? null : body.customCode;
  const maker: Maker = identity === null ? { network, secret: counterSecret(c.env) } : { userId: identity.id };
  const input = { longUrl: body.longUrl, alias, expiresAt: body.expiresAt ?? null };
  const made = await shorten(c.get('db'), input, maker, policyOf(c), now, cryptoBytes);
  if (!made.ok) throw refusal(made, now);
  c.executionCtx.waitUntil(publishLater(c.env, made.id, now));
  const response: ShortenResponse = {
    shortUrl: `${c.get('origins').short}/${made.code}`,
    code: made.code,
    longUrl: made.target,
    created_at: new Date(now).toISOString(),
    ...(made.usage === null ? {} : { usage: made.usage }),
  };
  return c.json(response, 201);
});

/** Copies a link to KV after the answer. Its outbox row stands already, so that a failure is repaired by cron. */
async function publishLater(env: Env, linkId: number, now: number): Promise<void> {
  try {
    await publishLinks(env, [linkId], now);
  } catch (error) {
    logEvent('publish_failed', { linkId, error: error instanceof Error ? error.message : String(error) });
  }
}

/** The link policy of this deployment. */
function policyOf(c: Context<ApiEnv>): PolicyContext {
  const { app, short } = c.get('origins');
  return { ownHosts: [new URL(app).hostname, new URL(short).hostname], shorteners: shortenerHosts(c.env.BLOCKED_SHORTENERS) };
}

/** What keys the counters of networks: any secret of the deployment will do. */
const counterSecret = (env: Env): string => env.AUTH_SECRET ?? env.SUPABASE_JWT_SECRET ?? env.SUPABASE_PUBLISHABLE_KEY;

const REFUSED: Record<NotShortened['reason'], { code: ErrorCode; field?: string }> = {
  invalid_target: { code: 'invalid_target', field: 'longUrl' },
  invalid_alias: { code: 'invalid_alias', field: 'customCode' },
  reserved_alias: { code: 'reserved_alias', field: 'customCode' },
  alias_needs_member: { code: 'unauthenticated' },
  invalid_expiry: { code: 'invalid_body', field: 'expiresAt' },
  alias_taken: { code: 'alias_taken', field: 'customCode' },
  quota_reached: { code: 'quota_reached' },
  day_reached: { code: 'rate_limited' },
  no_free_code: { code: 'unavailable' },
};

function refusal({ reason, message }: NotShortened, now: number): ApiError {
  const { code, ...where } = REFUSED[reason];
  if (reason === 'quota_reached') return new ApiError(code, message, { upgradeRequired: true });
  if (reason === 'day_reached') return new ApiError(code, message, { upgradeRequired: false, retryAfter: secondsToNextDay(now) });
  if (reason === 'no_free_code') return new ApiError(code, message, { retryAfter: 1 });
  return new ApiError(code, message, where);
}
