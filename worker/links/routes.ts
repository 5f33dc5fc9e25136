import { Hono } from 'hono';
import type { Context } from 'hono';
import type { ErrorCode } from '#contract/errors.ts';
import { CODE_PATTERN, POST_BODY_MAX_BYTES } from '#contract/limits.ts';
import {
  bulkRequest,
  linkChange,
  myLinksQuery,
  shortenRequest,
  type BulkLine,
  type BulkResponse,
  type LinkRow,
  type MyLinksResponse,
  type QrResponse,
  type ShortenResponse,
} from '#contract/links.ts';
import { createReputation } from '#worker/abuse/reputation.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { readPublicOrThrow } from '#worker/http/public-read.ts';
import { rateLimit, rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { requireMember, readJson, readQuery } from '#worker/http/validate.ts';
import { authSecret } from '#worker/auth/settings.ts';
import { previewKey, qrKey } from '#worker/http/cache-keys.ts';
import { secondsToNextDay } from '#worker/http/day-allowance.ts';
import { evict } from '#worker/http/edge-cache.ts';
import { networksOf } from '#worker/redirect/network-limit.ts';
import { changeLink, deleteLink, ownLink, type NotChanged } from './change.ts';
import { cryptoBytes } from './codes.ts';
import type { LinkPolicy } from './destination.ts';
import { listLinks } from './list.ts';
import { publishLater } from './publish-later.ts';
import { qrDataUrl } from './qr.ts';
import { checkInput, shorten, type Maker, type NotShortened } from './shorten.ts';
import { shortenMany, type NotShortenedMany } from './shorten-many.ts';
import { shortenerHosts } from './shorteners.ts';
import { codeExists, type OwnLink } from './store.ts';

const TOO_MANY_LINKS = 'Too many links in a short time. Please wait a minute.';

export const linksRoutes = new Hono<ApiEnv>();

linksRoutes.post('/shorten', async (c) => {
  const identity = c.get('identity');
  const body = await readJson(c, shortenRequest);
  const now = c.get('now');
  // An empty alias field means no alias: forms send it so.
  const alias = body.customCode === undefined || body.customCode === '' ? null : body.customCode;
  const maker: Maker = identity === null ? { ...networksOf(c.req.raw), secret: authSecret(c.env) } : { userId: identity.id };
  const input = { longUrl: body.longUrl, alias, expiresAt: body.expiresAt ?? null };
  const policy = policyOf(c);
  // What is refused without a look at storage uses up nobody's minute: a typing error is no attack.
  const wish = checkInput(input, maker, policy, now);
  if (!wish.ok) throw refusal(wish, now);
  if (identity === null) await rateLimitNetwork(c.env, c.env.LIMIT_VISITOR_LINKS, 'link', c.req.raw, TOO_MANY_LINKS);
  else await rateLimit(c.env.LIMIT_WRITES, identity.id);
  const made = await shorten(c.get('db'), input, maker, policy, now, cryptoBytes);
  if (!made.ok) throw refusal(made, now);
  c.executionCtx.waitUntil(publishLater(c.env, [made.id], now));
  const response: ShortenResponse = {
    shortUrl: `${c.get('origins').short}/${made.code}`,
    code: made.code,
    longUrl: made.target,
    created_at: new Date(now).toISOString(),
    ...(made.usage === null ? {} : { usage: made.usage }),
  };
  return c.json(response, 201);
});

linksRoutes.post('/shorten/bulk', async (c) => {
  const { id } = requireMember(c);
  const { longUrls } = await readJson(c, bulkRequest, POST_BODY_MAX_BYTES);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const now = c.get('now');
  const done = await shortenMany(c.get('db'), longUrls, id, policyOf(c), now, cryptoBytes);
  if (!done.ok) throw refusal(done, now);
  c.executionCtx.waitUntil(publishLater(c.env, done.ids, now));
  const lines = done.lines.map((line): BulkLine =>
    line.ok
      ? { ok: true, longUrl: line.longUrl, code: line.code, shortUrl: `${c.get('origins').short}/${line.code}` }
      : { ok: false, longUrl: line.longUrl, error: line.message },
  );
  const response: BulkResponse = { lines, made: done.ids.length, usage: done.usage };
  return c.json(response, 201);
});

linksRoutes.get('/my-urls', async (c) => {
  const { links, nextCursor, totals } = await listLinks(
    c.get('db'),
    requireMember(c).id,
    readQuery(c, myLinksQuery),
    c.get('now'),
  );
  const response: MyLinksResponse = { urls: links.map((link) => wire(c, link)), next_cursor: nextCursor, totals };
  return c.json(response);
});

linksRoutes.get('/links/:code', async (c) => {
  const link = await ownLink(c.get('db'), requireMember(c).id, c.req.param('code'));
  if (link === null) throw new ApiError('not_found', 'There is no such link among yours.');
  return c.json(wire(c, link));
});

linksRoutes.patch('/links/:code', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const change = await readJson(c, linkChange);
  const done = await changeLink(c.get('db'), id, c.req.param('code'), change, policyOf(c), c.get('now'));
  if (!done.ok) throw refusal(done, c.get('now'));
  c.executionCtx.waitUntil(publishLater(c.env, [done.link.id], c.get('now')));
  await evict([previewKey(c.get('origins'), done.link.code)]);
  return c.json(wire(c, done.link));
});

linksRoutes.delete('/links/:code', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const done = await deleteLink(c.get('db'), id, c.req.param('code'), c.get('now'));
  if (!done.ok) throw refusal(done, c.get('now'));
  c.executionCtx.waitUntil(publishLater(c.env, [done.link.id], c.get('now')));
  await evict([previewKey(c.get('origins'), done.link.code), qrKey(c.get('origins'), done.link.code)]);
  return c.json({ success: true });
});

linksRoutes.get('/qr/:code', async (c) => {
  const code = c.req.param('code');
  const origins = c.get('origins');
  const response = CODE_PATTERN.test(code)
    ? await readPublicOrThrow(c, qrKey(origins, code), async (): Promise<QrResponse | null> =>
        (await codeExists(c.get('db'), code)) ? { qrCode: qrDataUrl(`${origins.short}/${code}`) } : null,
      )
    : null;
  if (response !== null) return c.json(response);
  // Misses have a lower limit of their own: whoever asks for links that exist learns nothing by asking.
  await rateLimitNetwork(c.env, c.env.LIMIT_MISSES, 'miss', c.req.raw);
  throw new ApiError('not_found', 'There is no such link.');
});

/** The link policy of this deployment. The host of this very request serves us too, whether or not a setting names it. */
function policyOf(c: Context<ApiEnv>): LinkPolicy {
  const { app, short } = c.get('origins');
  return {
    ownHosts: [app, short, c.req.url].map((url) => new URL(url).hostname),
    shorteners: shortenerHosts(c.env.BLOCKED_SHORTENERS),
    reputation: createReputation(c.env.REPUTATION_DOH_URL, fetch),
  };
}

type Refused = NotShortened | NotChanged | NotShortenedMany;

/** A link as the wire has it. */
function wire(c: Context<ApiEnv>, link: OwnLink): LinkRow {
  return {
    id: link.id,
    short_code: link.code,
    short_url: `${c.get('origins').short}/${link.code}`,
    long_url: link.target,
    click_count: link.clicks,
    created_at: new Date(link.createdAt).toISOString(),
    status: link.status === 'active' ? 'active' : 'disabled',
    status_reason: link.status === 'active' ? null : (link.disabledReason ?? 'This link has been disabled.'),
    expires_at: link.expiresAt === null ? null : new Date(link.expiresAt).toISOString(),
  };
}

const REFUSED: Record<Refused['reason'], { code: ErrorCode; field?: string }> = {
  invalid_target: { code: 'invalid_target', field: 'longUrl' },
  cannot_tell: { code: 'unavailable' },
  invalid_alias: { code: 'invalid_alias', field: 'customCode' },
  reserved_alias: { code: 'reserved_alias', field: 'customCode' },
  alias_needs_member: { code: 'unauthenticated' },
  invalid_expiry: { code: 'invalid_body', field: 'expiresAt' },
  alias_taken: { code: 'alias_taken', field: 'customCode' },
  quota_reached: { code: 'quota_reached' },
  day_reached: { code: 'rate_limited' },
  no_free_code: { code: 'unavailable' },
  not_found: { code: 'not_found' },
  held: { code: 'forbidden' },
  changed_meanwhile: { code: 'conflict' },
  premium_only: { code: 'payment_required' },
};

function refusal({ reason, message }: Refused, now: number): ApiError {
  const { code, ...where } = REFUSED[reason];
  if (reason === 'quota_reached') return new ApiError(code, message, { upgradeRequired: true });
  if (reason === 'day_reached') return new ApiError(code, message, { upgradeRequired: false, retryAfter: secondsToNextDay(now) });
  if (reason === 'cannot_tell') return new ApiError(code, message, { retryAfter: 30 });
  if (reason === 'no_free_code') return new ApiError(code, message, { retryAfter: 1 });
  return new ApiError(code, message, where);
}
