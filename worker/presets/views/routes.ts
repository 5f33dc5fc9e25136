import { Hono } from 'hono';
import { VIEWS_MAX } from '#contract/limits.ts';
import { viewInput, type ViewsResponse } from '#contract/views.ts';
import { idFromCursor } from '#worker/db/paginate.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import { deleteView, readViews, saveView } from './store.ts';

export const viewsRoutes = new Hono<ApiEnv>();

viewsRoutes.get('/views', async (c) => {
  const response: ViewsResponse = { views: await readViews(c.get('db'), requireMember(c).id) };
  return c.json(response);
});

viewsRoutes.post('/views', async (c) => {
  const { id } = requireMember(c);
  const input = readJson(c, viewInput);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const view = await saveView(c.get('db'), id, input, c.get('now'));
  if (view === null)
    throw new ApiError('conflict', `An account can have ${VIEWS_MAX} views. Delete one first.`, {
      field: 'name',
    });
  return c.json(view, 201);
});

viewsRoutes.delete('/views/:id', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  // 0, which no view has, for a path that is no id.
  if (!(await deleteView(c.get('db'), id, idFromCursor(c.req.param('id')) ?? 0)))
    throw new ApiError('not_found', "We couldn't find that view in your account.");
  return c.json({ success: true });
});
