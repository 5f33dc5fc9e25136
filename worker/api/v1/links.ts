import { Hono, type Context } from 'hono';
import type * as z from 'zod/mini';
import {
  linkInput,
  linkPatch,
  linksQuery,
  linkUpsert,
  qrQuery,
  type LinkInput,
  type V1LinkList,
} from '#contract/v1/v1.ts';
import { linkKey, splitKey } from '#contract/codes/domain-key.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import type { InsertGuard } from '#worker/http/idempotency.ts';
import { readJson, readQuery, requireKey } from '#worker/http/validate.ts';
import { nameDomainsOf } from '#worker/links/domain-of-request.ts';
import {
  changedSettings,
  PUBLISHED,
  readLinkSettings,
} from '#worker/links/settings/link-settings.ts';
import { CHANGED_SINCE, changesNotes } from '#worker/links/write/change-link.ts';
import { toStoredExternalId, visibleExternalId } from '#worker/links/read/external-ids.ts';
import { parseLinkEdit, type LinkEdit } from '#worker/links/write/link-draft.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import { decodeCursor, encodeCursor, LINK_ORDERS } from '#worker/links/list/link-order.ts';
import type { OwnLink } from '#worker/links/read/own-link.ts';
import { qrPng, qrSvg } from '#worker/links/qr.ts';
import { searchLinks } from '#worker/links/list/search-links.ts';
import { createLink, editLink, removeLink } from '#worker/links/write/write-links.ts';
import { targetPolicy } from '#worker/safety/target-policy.ts';
import { answerOnce } from './answer-once.ts';
import { toLinkDraft } from './draft.ts';
import { domainOfChange, findDomains } from './link-domains.ts';
import { keyOfName } from './named-link.ts';
import { checkUpsert, etagOf, readIfMatch, sendLink } from './etag.ts';
import { toLinkFilters } from './link-filters.ts';
import {
  checkSettings,
  findByExternalId,
  notFound,
  requireLink,
  toV1Link,
  toWrittenLink,
} from './link-json.ts';

/** How often an upsert is tried: another request can create or delete its link in between. */
const UPSERT_ATTEMPTS = 3;

type C = Context<ApiEnv>;

export const linksV1 = new Hono<ApiEnv>();

linksV1.post('/links', async (c) => {
  const input = readJson(c, linkInput);
  checkSettings(c, input);
  return answerOnce(c, input, async (guard, createdIds) => {
    let id = createdIds.get(0);
    if (id === undefined) {
      const created = await tryCreate(c, input, guard);
      if (!created.ok) throw linkError(created, c.get('now'));
      id = created.id;
    }
    const link = await requireLink(c, { id });
    c.header('ETag', etagOf(c, link));
    const body = toWrittenLink(c, link);
    return { status: 201, location: `/api/v1/links/${body.id}`, body };
  });
});

linksV1.get('/links', async (c) => {
  const { userId, linkIds } = requireKey(c);
  const { cursor, sort, limit, ...given } = readQuery(c, linksQuery);
  const from = cursor === undefined ? null : decodeCursor(cursor, sort, linkIds);
  if (cursor !== undefined && from === null) {
    throw apiError('not_a_cursor');
  }
  const by = LINK_ORDERS.find((order) => sort.endsWith(order)) ?? 'createdAt';
  const { words, ...filters } = toLinkFilters(c, given);
  const page = await searchLinks(c.get('db'), {
    userId,
    words,
    filters,
    sort: { by, descending: sort.startsWith('-') },
    from,
    limit,
    now: c.get('now'),
  });
  await nameDomainsOf(c, page.rows);
  return c.json({
    data: page.rows.map((link) => toV1Link(c, link)),
    nextCursor: page.after && encodeCursor('after', sort, page.after, linkIds),
    previousCursor: page.before && encodeCursor('before', sort, page.before, linkIds),
  } satisfies V1LinkList);
});

linksV1.get('/links/by-code/:code', async (c) =>
  sendLink(c, await requireLink(c, { code: keyOfName(c, c.req.param('code')) ?? '' })),
);

linksV1.get('/links/by-external-id/:externalId', async (c) => {
  const link = await findByExternalId(c, c.req.param('externalId'));
  if (link === null) throw notFound(c);
  await nameDomainsOf(c, [link]);
  return sendLink(c, link);
});

linksV1.put('/links/by-external-id/:externalId', async (c) => {
  const externalId = c.req.param('externalId');
  if (!linkInput.shape.externalId.safeParse(externalId).success) throw notFound(c);
  const input = readJson(c, linkUpsert);
  checkSettings(c, input);
  for (let attempt = 0; attempt < UPSERT_ATTEMPTS; attempt += 1) {
    const existing = await findByExternalId(c, externalId);
    checkUpsert(c, existing);
    if (existing !== null) return sendWritten(c, await update(c, existing, input));
    const created = await tryCreate(c, { ...input, externalId }, null);
    if (created.ok) {
      c.header('Location', `/api/v1/links/${requireKey(c).linkIds.show(created.id)}`);
      return sendWritten(c, await requireLink(c, { id: created.id }), 201);
    }
    if (created.reason !== 'external_id_taken') throw linkError(created, c.get('now'));
  }
  throw apiError('link_changed');
});

linksV1.get('/links/:id', async (c) => sendLink(c, await requireLink(c)));

linksV1.patch('/links/:id', async (c) => {
  const change = readJson(c, linkPatch);
  checkSettings(c, change);
  return sendWritten(c, await edit(c, await requireLink(c), change));
});

linksV1.delete('/links/:id', async (c) => {
  const { id } = await requireLink(c);
  const result = await removeLink(requestContext(c), {
    actor: requireKey(c),
    ref: { id },
    isExpected: readIfMatch(c),
  });
  if (!result.ok) throw linkError(result, c.get('now'));
  return c.body(null, 204);
});

linksV1.get('/links/:id/qr.svg', async (c) => {
  const { shortUrl } = toV1Link(c, await requireLink(c));
  return c.body(qrSvg(shortUrl), 200, { 'Content-Type': 'image/svg+xml; charset=utf-8' });
});

linksV1.get('/links/:id/qr.png', async (c) => {
  const { size } = readQuery(c, qrQuery);
  const { shortUrl } = toV1Link(c, await requireLink(c));
  return c.body(await qrPng(shortUrl, size), 200, { 'Content-Type': 'image/png' });
});

/** Answers with a link that the request has written. */
function sendWritten(c: C, link: OwnLink, status: 200 | 201 = 200): Response {
  c.header('ETag', etagOf(c, link));
  return c.json(toWrittenLink(c, link), status);
}

async function tryCreate(c: C, input: LinkInput, guard: InsertGuard | null) {
  const parsed = toLinkDraft(c, input, await findDomains(c, [input]));
  if (!parsed.ok) return parsed;
  return createLink(requestContext(c), { userId: requireKey(c).userId }, parsed.draft, guard);
}

/** Applies an upsert to the link that it found. */
async function update(
  c: C,
  link: OwnLink,
  { code: given, domain, ...change }: z.infer<typeof linkUpsert>,
): Promise<OwnLink> {
  if (!link.code.startsWith(requireKey(c).codePrefix)) throw apiError('external_id_taken');
  const present = splitKey(link.code);
  const id = (await domainOfChange(c, domain)) ?? present.domain;
  const code = given === link.code ? present.code : given;
  const key = linkKey(id, code ?? present.code);
  if (key !== link.code && !link.earlierCodes.includes(key)) {
    const input = { ...change, code, domain };
    const parsed = toLinkDraft(c, input, await findDomains(c, [input]));
    throw parsed.ok ? apiError('external_id_renames') : linkError(parsed, c.get('now'));
  }
  return edit(c, link, change);
}

async function edit(
  c: C,
  link: OwnLink,
  { url, domain: name, code, externalId, enabled, tags, ...given }: z.infer<typeof linkPatch>,
): Promise<OwnLink> {
  const now = c.get('now');
  const { codePrefix } = requireKey(c);
  const present = splitKey(link.code);
  const domain = await domainOfChange(c, name);
  // An id that the key sees stays as it is stored, although this key would store it in another
  // form.
  const isSameId = externalId === visibleExternalId(link.externalId, codePrefix);
  const input = {
    ...readLinkSettings(given),
    target: url,
    // Responses have the key of the link as its code.
    code: code === present.code || code === link.code ? undefined : code,
    domain: domain === present.domain ? undefined : domain,
    externalId: isSameId ? undefined : externalId && toStoredExternalId(externalId, codePrefix),
    enabled,
    tags,
  };
  const context = { policy: targetPolicy(requestContext(c)), now, codePrefix };
  const parsed = parseLinkEdit(input, context);
  if (!parsed.ok) throw linkError(parsed, now);
  // A repeated request writes nothing, so that simultaneous repetitions do not conflict.
  const isExpected = readIfMatch(c);
  if (isUnchanged(link, parsed.edit)) {
    if (isExpected?.(link) === false) throw linkError(CHANGED_SINCE, now);
    return link;
  }
  const ref = { id: link.id };
  const result = await editLink(
    requestContext(c),
    { actor: requireKey(c), ref, isExpected },
    parsed.edit,
  );
  if (!result.ok) throw linkError(result, now);
  return result.link;
}

const isUnchanged = (link: OwnLink, change: LinkEdit): boolean =>
  !changesNotes(change) &&
  change.code === undefined &&
  change.domain === undefined &&
  (change.target === undefined || change.target.href === link.target) &&
  (change.externalId === undefined || change.externalId === link.externalId) &&
  (change.newPassword ?? '') === '' &&
  (change.newPassword === undefined || link.password === '') &&
  (change.enabled === undefined || change.enabled === (link.status === 'active')) &&
  changedSettings(link, change, PUBLISHED).length === 0;
