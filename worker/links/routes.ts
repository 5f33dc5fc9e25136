import { CLAIM_MESSAGES, linkMessage } from '#worker/messages/links.ts';
import { Hono } from 'hono';
import { isLinkKey } from '#contract/codes/domain-key.ts';
import { linkTestRequest } from '#contract/links/link-test.ts';
import { FILTERED_TOTALS_MAX } from '#contract/limits.ts';
import {
  bulkRequest,
  claimRequest,
  linkChange,
  linkFilterQuery,
  myLinksQuery,
  shortenRequest,
  type BulkLine,
  type BulkResponse,
  type ClaimLine,
  type ClaimResponse,
  type FilteredTotals,
  type LinkHistory,
  type MyLinksResponse,
  type QrResponse,
  type ShortenResponse,
} from '#contract/links/links.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import { qrKey } from '#worker/http/cache-keys.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { readPublicOrThrow } from '#worker/http/edge-cache.ts';
import { limitWrites, rateLimit, rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { domainNameOf, shortUrlOf } from '#worker/http/short-url.ts';
import { readJson, requireMember, readQuery } from '#worker/http/validate.ts';
import { networksOf } from '#worker/redirect/network-limit.ts';
import { domainNamed, domainOfNewLink, nameDomainsOf } from './domain-of-request.ts';
import { claimLinks } from './write/claim-links.ts';
import { NOT_FOUND } from './write/change-link.ts';
import { toListedLinks } from './listed-links.ts';
import { HISTORY, readLinkSettings, showByColumn } from './settings/link-settings.ts';
import { indexLater } from './words/index-words.ts';
import { parseLinkDraft, parseLinkEdit } from './write/link-draft.ts';
import { readHistory, type LinkSnapshot } from './read/link-history.ts';
import { linkError } from './write/link-errors.ts';
import { listLinks } from './list/list-links.ts';
import { filtersOf } from './list/query-filters.ts';
import { countSelectedLinks } from './list/select-links.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import { qrDataUrl } from './qr.ts';
import { testLink } from './read/test-link.ts';
import { readOwnLink } from './read/own-link.ts';
import { codeExists } from '#worker/edge/earlier-codes.ts';
import { createLink, createLinks, editLink, removeLink } from './write/write-links.ts';
import { targetPolicy } from '#worker/safety/target-policy.ts';

export const linksRoutes = new Hono<ApiEnv>();

linksRoutes.post('/shorten', async (c) => {
  const identity = c.get('identity');
  const body = readJson(c, shortenRequest);
  const now = c.get('now');
  const { longUrl: target, customCode: code, tags } = body;
  const domain = await domainOfNewLink(c, body.domain);
  const input = { ...readLinkSettings(body), target, code, domain, tags };
  const parsed = parseLinkDraft(input, {
    isMember: identity !== null,
    policy: targetPolicy(requestContext(c)),
    now,
  });
  // Invalid input does not count against the rate limit: a typing error is not an attack.
  if (!parsed.ok) throw linkError(parsed, now);
  if (identity === null)
    await rateLimitNetwork(c.env, c.env.LIMIT_VISITOR_LINKS, 'link', c.req.raw, 'too_many_links');
  else await rateLimit(c.env.LIMIT_WRITES, identity.id);
  const creator =
    identity === null
      ? { ...networksOf(c.req.raw), secret: authSecret(c.env) }
      : { userId: identity.id };
  const result = await createLink(requestContext(c), creator, parsed.draft);
  if (!result.ok) throw linkError(result, now);
  return c.json(
    {
      shortUrl: shortUrlOf(c.get('origins'), result.code),
      code: result.code,
      longUrl: result.target,
      created_at: new Date(now).toISOString(),
      ...(result.usage === null ? {} : { usage: result.usage }),
      ...(result.claimToken === null ? {} : { claimToken: result.claimToken }),
    } satisfies ShortenResponse,
    201,
  );
});

linksRoutes.post('/shorten/bulk', async (c) => {
  const { longUrls, domain: name } = readJson(c, bulkRequest);
  const { id } = await limitWrites(c);
  const now = c.get('now');
  const context = requestContext(c);
  const policy = targetPolicy(context);
  const domain = await domainOfNewLink(c, name);
  const drafts = longUrls.map((longUrl, item) => ({
    item,
    ...parseLinkDraft({ target: longUrl, domain }, { isMember: true, policy, now }),
  }));
  const result = await createLinks(context, id, drafts, { failure: 'list' });
  if (!result.ok) throw linkError(result, now);
  const lines = result.lines.map((line, item): BulkLine => {
    const longUrl = longUrls[item] ?? '';
    return line.ok
      ? {
          ok: true,
          longUrl,
          code: line.code,
          shortUrl: shortUrlOf(c.get('origins'), line.code),
        }
      : { ok: false, longUrl, error: linkMessage(line) };
  });
  return c.json(
    { lines, made: result.ids.length, usage: result.usage } satisfies BulkResponse,
    201,
  );
});

linksRoutes.post('/links/claim', async (c) => {
  const { links } = readJson(c, claimRequest);
  const { id } = await limitWrites(c);
  await rateLimitNetwork(c.env, c.env.LIMIT_MISSES, 'claim', c.req.raw);
  const now = c.get('now');
  const { outcomes, ids } = await claimLinks(c.get('db'), id, links, now);
  c.executionCtx.waitUntil(publishLater(c.env, ids, now));
  c.executionCtx.waitUntil(indexLater(c.get('db'), ids));
  const lines = links.map(({ code }, index): ClaimLine => {
    const reason = outcomes[index] ?? 'not_claimable';
    return reason === 'claimed'
      ? { ok: true, code }
      : { ok: false, code, reason, error: CLAIM_MESSAGES[reason] };
  });
  return c.json({ lines } satisfies ClaimResponse);
});

linksRoutes.post('/links/test', async (c) => {
  const { longUrl, settings, visitor } = readJson(c, linkTestRequest);
  await limitWrites(c);
  const now = c.get('now');
  const input = { ...readLinkSettings(settings), target: longUrl };
  // An end in the past can be tested, although it cannot be set.
  const parsed = parseLinkDraft(
    { ...input, expiresAt: null },
    { isMember: true, policy: targetPolicy(requestContext(c)), now },
  );
  if (!parsed.ok) throw linkError(parsed, now);
  const { draft } = parsed;
  const { hasPassword = false } = settings;
  const end = { expiresAt: input.expiresAt ?? null };
  const link = { ...draft, target: draft.target.href, ...end, hasPassword };
  const { at = now, device, ...others } = visitor;
  return c.json(testLink(link, { ...others, device }, at));
});

linksRoutes.get('/my-urls', async (c) => {
  const query = readQuery(c, myLinksQuery);
  const page = await listLinks(requestContext(c), requireMember(c).id, query);
  if (page === null) throw apiError('other_cursor');
  const { countedAt, ...totals } = page.totals;
  return c.json({
    urls: await toListedLinks(c, page.rows),
    nextCursor: page.nextCursor,
    totals: {
      ...totals,
      countedAt: countedAt === null ? null : new Date(countedAt).toISOString(),
    },
  } satisfies MyLinksResponse);
});

linksRoutes.get('/my-urls/totals', async (c) => {
  const query = readQuery(c, linkFilterQuery);
  const { id: userId } = requireMember(c);
  const counted: FilteredTotals = await countSelectedLinks(
    c.get('db'),
    filtersOf(query, c.get('origins')),
    { userId, max: FILTERED_TOTALS_MAX, now: c.get('now') },
  );
  return c.json(counted);
});

linksRoutes.get('/links/:code', async (c) => {
  const link = await readOwnLink(c.get('db'), requireMember(c).id, { code: c.req.param('code') });
  if (link === null) throw linkError(NOT_FOUND, c.get('now'));
  const [listed] = await toListedLinks(c, [link]);
  return c.json(listed);
});

linksRoutes.get('/links/:code/history', async (c) => {
  const { id } = requireMember(c);
  const link = await readOwnLink(c.get('db'), id, { code: c.req.param('code') });
  if (link === null) throw linkError(NOT_FOUND, c.get('now'));
  const changes = await readHistory(c.get('db'), id, link);
  await nameDomainsOf(c, [link, ...changes.map(({ before }) => before)]);
  const toState = (state: LinkSnapshot): LinkHistory['changes'][number]['before'] => ({
    short_code: state.code,
    domain: domainNameOf(c.get('origins'), state.code),
    long_url: state.target,
    status: state.status,
    ...showByColumn(state, HISTORY),
    card_at: state.cardAt === null ? null : new Date(state.cardAt).toISOString(),
    tags: state.tags,
  });
  return c.json({
    changes: changes.map(({ at, before, after, ...change }) =>
      Object.assign(change, {
        at: new Date(at).toISOString(),
        before: toState(before),
        after: toState(after),
      }),
    ),
  } satisfies LinkHistory);
});

linksRoutes.patch('/links/:code', async (c) => {
  const { id } = await limitWrites(c);
  const now = c.get('now');
  const { longUrl: target, customCode: code, enabled, tags, ...given } = readJson(c, linkChange);
  const domain = given.domain === undefined ? undefined : await domainNamed(c, given.domain);
  const parsed = parseLinkEdit(
    { ...readLinkSettings(given), target, code, domain, enabled, tags },
    { policy: targetPolicy(requestContext(c)), now },
  );
  if (!parsed.ok) throw linkError(parsed, now);
  const which = { actor: { userId: id, keyName: null }, ref: { code: c.req.param('code') } };
  const result = await editLink(requestContext(c), which, parsed.edit);
  if (!result.ok) throw linkError(result, now);
  const [listed] = await toListedLinks(c, [result.link]);
  return c.json(listed);
});

linksRoutes.delete('/links/:code', async (c) => {
  const { id } = await limitWrites(c);
  const result = await removeLink(requestContext(c), {
    actor: { userId: id, keyName: null },
    ref: { code: c.req.param('code') },
  });
  if (!result.ok) throw linkError(result, c.get('now'));
  return c.json({ success: true });
});

linksRoutes.get('/qr/:code', async (c) => {
  const code = c.req.param('code');
  const origins = c.get('origins');
  const response = isLinkKey(code)
    ? await readPublicOrThrow(c, qrKey(origins, code), async (): Promise<QrResponse | null> =>
        (await codeExists(c.get('db'), code))
          ? { qrCode: qrDataUrl(shortUrlOf(await nameDomains(c.get('db'), origins, [code]), code)) }
          : null,
      )
    : null;
  if (response !== null) return c.json(response);
  // Unknown codes have their own, lower rate limit, so that nobody can guess codes quickly.
  await rateLimitNetwork(c.env, c.env.LIMIT_MISSES, 'miss', c.req.raw);
  throw apiError('unknown_link');
});
