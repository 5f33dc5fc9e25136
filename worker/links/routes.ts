import { Hono } from 'hono';
import type { Context } from 'hono';
import type { ErrorCode } from '#contract/errors.ts';
import { CODE_PATTERN } from '#contract/limits.ts';
import {
  bulkRequest,
  claimRequest,
  linkChange,
  myLinksQuery,
  shortenRequest,
  type BulkLine,
  type BulkResponse,
  type ClaimLine,
  type ClaimResponse,
  type LinkRow,
  type MyLinksResponse,
  type QrResponse,
  type ShortenResponse,
} from '#contract/links.ts';
import { createReputation, type Reputation } from '#worker/abuse/reputation.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { readPublicOrThrow } from '#worker/http/public-read.ts';
import { rateLimit, rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { LARGE_BODY_MAX_BYTES, readJson, requireMember, readQuery } from '#worker/http/validate.ts';
import { authSecret } from '#worker/auth/settings.ts';
import { previewKey, qrKey } from '#worker/http/cache-keys.ts';
import { secondsToNextDay } from '#worker/http/day-allowance.ts';
import { evict } from '#worker/http/edge-cache.ts';
import { networksOf } from '#worker/redirect/network-limit.ts';
import { CLAIM_ERRORS, claimLinks } from './claim-links.ts';
import { changeLink, deleteLink, NOT_FOUND, type ChangeErrorReason } from './change-link.ts';
import { cryptoRandom } from './codes.ts';
import { parseLinkDraft, parseLinkEdit, type DraftErrorReason } from './link-draft.ts';
import { listLinks } from './list-links.ts';
import { publishLater } from './publish-later.ts';
import { qrDataUrl } from './qr.ts';
import { shorten, type ShortenErrorReason } from './shorten.ts';
import { parseDraftLines, shortenMany, type ShortenManyErrorReason } from './shorten-many.ts';
import { shortenerHosts } from './shorteners.ts';
import { codeExists, readOwnLink, type OwnLink } from './store.ts';
import type { TargetPolicy } from './target.ts';

const TOO_MANY_LINKS = 'Too many links in a short time. Try again in a minute.';

export const linksRoutes = new Hono<ApiEnv>();

linksRoutes.post('/shorten', async (c) => {
  const identity = c.get('identity');
  const body = await readJson(c, shortenRequest);
  const now = c.get('now');
  const parsed = parseLinkDraft(body, { isMember: identity !== null, policy: targetPolicy(c), now });
  // Invalid input does not count against the rate limit: a typing error is not an attack.
  if (!parsed.ok) throw toApiError(parsed, now);
  if (identity === null) await rateLimitNetwork(c.env, c.env.LIMIT_VISITOR_LINKS, 'link', c.req.raw, TOO_MANY_LINKS);
  else await rateLimit(c.env.LIMIT_WRITES, identity.id);
  const creator = identity === null ? { ...networksOf(c.req.raw), secret: authSecret(c.env) } : { userId: identity.id };
  const result = await shorten(c.get('db'), parsed.draft, { creator, reputation: reputation(c), now, random: cryptoRandom });
  if (!result.ok) throw toApiError(result, now);
  c.executionCtx.waitUntil(publishLater(c.env, [result.id], now));
  // A deleted link of the same code may be in the cache.
  if (parsed.draft.alias !== null) await evict([previewKey(c.get('origins'), result.code)]);
  const response: ShortenResponse = {
    shortUrl: `${c.get('origins').short}/${result.code}`,
    code: result.code,
    longUrl: result.target,
    created_at: new Date(now).toISOString(),
    ...(result.usage === null ? {} : { usage: result.usage }),
    ...(result.claimToken === null ? {} : { claimToken: result.claimToken }),
  };
  return c.json(response, 201);
});

linksRoutes.post('/shorten/bulk', async (c) => {
  const { id } = requireMember(c);
  const { longUrls } = await readJson(c, bulkRequest, LARGE_BODY_MAX_BYTES);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const now = c.get('now');
  const drafts = parseDraftLines(longUrls, targetPolicy(c));
  const options = { creator: { userId: id }, reputation: reputation(c), now, random: cryptoRandom };
  const result = await shortenMany(c.get('db'), drafts, options);
  if (!result.ok) throw toApiError(result, now);
  c.executionCtx.waitUntil(publishLater(c.env, result.ids, now));
  const lines = result.lines.map((line): BulkLine =>
    line.ok
      ? { ok: true, longUrl: line.longUrl, code: line.code, shortUrl: `${c.get('origins').short}/${line.code}` }
      : { ok: false, longUrl: line.longUrl, error: line.message },
  );
  const response: BulkResponse = { lines, made: result.ids.length, usage: result.usage };
  return c.json(response, 201);
});

linksRoutes.post('/links/claim', async (c) => {
  const { id } = requireMember(c);
  const { links } = await readJson(c, claimRequest);
  await rateLimit(c.env.LIMIT_WRITES, id);
  await rateLimitNetwork(c.env, c.env.LIMIT_MISSES, 'claim', c.req.raw);
  const now = c.get('now');
  const { outcomes, ids } = await claimLinks(c.get('db'), id, links, now);
  c.executionCtx.waitUntil(publishLater(c.env, ids, now));
  const lines = links.map(({ code }, index): ClaimLine => {
    const reason = outcomes[index] ?? 'not_claimable';
    return reason === 'claimed' ? { ok: true, code } : { ok: false, code, reason, error: CLAIM_ERRORS[reason] };
  });
  const response: ClaimResponse = { lines };
  return c.json(response);
});

linksRoutes.get('/my-urls', async (c) => {
  const { rows, nextCursor, totals } = await listLinks(c.get('db'), requireMember(c).id, readQuery(c, myLinksQuery));
  const response: MyLinksResponse = { urls: rows.map((link) => toLinkRow(c, link)), next_cursor: nextCursor, totals };
  return c.json(response);
});

linksRoutes.get('/links/:code', async (c) => {
  const link = await readOwnLink(c.get('db'), requireMember(c).id, c.req.param('code'));
  if (link === null) throw toApiError(NOT_FOUND, c.get('now'));
  return c.json(toLinkRow(c, link));
});

linksRoutes.patch('/links/:code', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const now = c.get('now');
  const parsed = parseLinkEdit(await readJson(c, linkChange), { policy: targetPolicy(c), now });
  if (!parsed.ok) throw toApiError(parsed, now);
  const change = { userId: id, code: c.req.param('code'), edit: parsed.edit, reputation: reputation(c), now };
  const result = await changeLink(c.get('db'), change);
  if (!result.ok) throw toApiError(result, now);
  c.executionCtx.waitUntil(publishLater(c.env, [result.link.id], now));
  await evict([previewKey(c.get('origins'), result.link.code)]);
  return c.json(toLinkRow(c, result.link));
});

linksRoutes.delete('/links/:code', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const now = c.get('now');
  const result = await deleteLink(c.get('db'), id, c.req.param('code'), now);
  if (!result.ok) throw toApiError(result, now);
  c.executionCtx.waitUntil(publishLater(c.env, [result.link.id], now));
  await evict([previewKey(c.get('origins'), result.link.code), qrKey(c.get('origins'), result.link.code)]);
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
  // Unknown codes have a separate, lower limit, against guessing. Requests for links that exist reveal nothing.
  await rateLimitNetwork(c.env, c.env.LIMIT_MISSES, 'miss', c.req.raw);
  throw new ApiError('not_found', "We couldn't find that link.");
});

/** The link policy of this deployment. The host of the request serves us too, even if no setting names it. */
function targetPolicy(c: Context<ApiEnv>): TargetPolicy {
  const { app, short } = c.get('origins');
  return {
    ownHosts: [app, short, c.req.url].map((url) => new URL(url).hostname),
    shorteners: shortenerHosts(c.env.BLOCKED_SHORTENERS),
  };
}

const reputation = (c: Context<ApiEnv>): Reputation | null => createReputation(c.env.REPUTATION_DOH_URL, fetch);

/** A link in the form that the API sends. */
function toLinkRow(c: Context<ApiEnv>, link: OwnLink): LinkRow {
  return {
    id: link.id,
    short_code: link.code,
    short_url: `${c.get('origins').short}/${link.code}`,
    long_url: link.target,
    click_count: link.clicks,
    created_at: new Date(link.createdAt).toISOString(),
    status: link.status === 'active' ? 'active' : 'disabled',
    status_reason: link.status === 'active' ? null : describeDisabled(link),
    expires_at: link.expiresAt === null ? null : new Date(link.expiresAt).toISOString(),
  };
}

/** Why a link is disabled, as its owner reads it. Visitors read only a reason that moderation has given. */
function describeDisabled({ disabledBy, disabledReason }: OwnLink): string {
  return disabledBy === 'owner' ? 'You disabled this link.' : (disabledReason ?? 'This link has been disabled.');
}

type ErrorReason = DraftErrorReason | ShortenErrorReason | ShortenManyErrorReason | ChangeErrorReason;

/** The error code of each reason, and the member of the request body that caused it. */
const API_ERRORS: Record<ErrorReason, { code: ErrorCode; field?: string }> = {
  invalid_target: { code: 'invalid_target', field: 'longUrl' },
  reputation_unknown: { code: 'unavailable' },
  invalid_alias: { code: 'invalid_alias', field: 'customCode' },
  reserved_alias: { code: 'reserved_alias', field: 'customCode' },
  sign_in_required: { code: 'unauthenticated' },
  invalid_expiry: { code: 'invalid_body', field: 'expiresAt' },
  alias_taken: { code: 'alias_taken', field: 'customCode' },
  alias_under_review: { code: 'alias_taken', field: 'customCode' },
  upgrade_needed: { code: 'quota_reached' },
  quota_used_up: { code: 'quota_reached' },
  daily_limit_reached: { code: 'rate_limited' },
  no_free_code: { code: 'unavailable' },
  not_found: { code: 'not_found' },
  held: { code: 'forbidden' },
  changed_meanwhile: { code: 'conflict' },
  premium_only: { code: 'payment_required' },
};

function toApiError({ reason, message }: { reason: ErrorReason; message: string }, now: number): ApiError {
  const { code, ...field } = API_ERRORS[reason];
  switch (reason) {
    case 'upgrade_needed':
      return new ApiError(code, message, { upgradeRequired: true });
    case 'quota_used_up':
      return new ApiError(code, message, { upgradeRequired: false });
    case 'daily_limit_reached':
      return new ApiError(code, message, { upgradeRequired: false, retryAfter: secondsToNextDay(now) });
    case 'reputation_unknown':
      return new ApiError(code, message, { retryAfter: 30 });
    case 'no_free_code':
      return new ApiError(code, message, { retryAfter: 1 });
    default:
      return new ApiError(code, message, field);
  }
}
