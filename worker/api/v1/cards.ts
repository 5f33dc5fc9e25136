import { Hono } from 'hono';
import { cardInput } from '#contract/links/link-card.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { readJson, requireKey } from '#worker/http/validate.ts';
import { removeCard, setCard } from '#worker/links/card/change-card.ts';
import { publishCard } from '#worker/links/card/publish-card.ts';
import { showCard } from '#worker/links/read/show-card.ts';
import { requireLink } from './link-json.ts';

export const cardsV1 = new Hono<ApiEnv>();

cardsV1.get('/links/:id/card', async (c) => {
  const { card } = await requireLink(c);
  if (card === null) throw apiError('no_card');
  return c.json(showCard(card, c.get('origins')));
});

cardsV1.put('/links/:id/card', async (c) => {
  const input = readJson(c, cardInput);
  const { id } = await requireLink(c);
  const change = { actor: requireKey(c), ref: { id }, now: c.get('now') };
  const result = await setCard(c.get('db'), c.env, input, change);
  return c.json(publishCard(requestContext(c), result));
});

cardsV1.delete('/links/:id/card', async (c) => {
  const { id } = await requireLink(c);
  const change = { actor: requireKey(c), ref: { id }, now: c.get('now') };
  publishCard(requestContext(c), await removeCard(c.get('db'), change));
  return c.body(null, 204);
});
