import { Hono } from 'hono';
import { cardInput, type LinkCardResponse } from '#contract/links/link-card.ts';
import { DAY_MS } from '#contract/time.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites, rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import { readOwnLink } from '#worker/links/read/own-link.ts';
import { showCard } from '#worker/links/read/show-card.ts';
import { NOT_FOUND } from '#worker/links/write/change-link.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import { removeCard, setCard } from './change-card.ts';
import { findPicture } from './picture.ts';
import { publishCard } from './publish-card.ts';

export const cardRoutes = new Hono<ApiEnv>();

/** An address of a picture names its content, so it may be kept for as long as caches do. */
const FOREVER = `public, max-age=${(365 * DAY_MS) / 1000}, immutable`;

cardRoutes.get('/links/:code/card', async (c) => {
  const { id: userId } = requireMember(c);
  const link = await readOwnLink(c.get('db'), userId, { code: c.req.param('code') });
  if (link === null) throw linkError(NOT_FOUND, c.get('now'));
  return c.json({ card: showCard(link.card, c.get('origins')) } satisfies LinkCardResponse);
});

cardRoutes.put('/links/:code/card', async (c) => {
  const input = readJson(c, cardInput);
  const { id: userId } = await limitWrites(c);
  const ref = { code: c.req.param('code') };
  const change = { actor: { userId, keyName: null }, ref, now: c.get('now') };
  const result = await setCard(c.get('db'), c.env, input, change);
  return c.json({ card: publishCard(requestContext(c), result) } satisfies LinkCardResponse);
});

cardRoutes.delete('/links/:code/card', async (c) => {
  const { id: userId } = await limitWrites(c);
  const ref = { code: c.req.param('code') };
  const change = { actor: { userId, keyName: null }, ref, now: c.get('now') };
  return c.json({
    card: publishCard(requestContext(c), await removeCard(c.get('db'), change)),
  } satisfies LinkCardResponse);
});

cardRoutes.get('/card-pictures/:name', async (c) => {
  await rateLimitNetwork(c.env, c.env.LIMIT_READS, 'read', c.req.raw);
  const picture = await findPicture(c.env, c.req.param('name'));
  if (picture === null) throw apiError('unknown_picture');
  return c.body(picture.body, 200, {
    'Content-Type': picture.httpMetadata?.contentType ?? 'application/octet-stream',
    'Cache-Control': FOREVER,
    // Chats and social networks show it on their own pages.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
});
