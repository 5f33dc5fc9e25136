import { Hono, type Context } from 'hono';
import { tagChange, tagInput, tagMerge, type TagsResponse } from '#contract/tags.ts';
import { idFromCursor } from '#worker/db/paginate.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import { changeTag, createTag, deleteTag, listTags, mergeTag, type TagResult } from './tags.ts';

export const tagsRoutes = new Hono<ApiEnv>();

tagsRoutes.get('/tags', async (c) => {
  const response: TagsResponse = { tags: await listTags(c.get('db'), requireMember(c).id) };
  return c.json(response);
});

tagsRoutes.post('/tags', async (c) => {
  const { id } = requireMember(c);
  const input = readJson(c, tagInput);
  await limitWrites(c);
  return c.json(tagOf(await createTag(c.get('db'), id, input, c.get('now'))), 201);
});

tagsRoutes.patch('/tags/:id', async (c) => {
  const { id } = requireMember(c);
  const change = readJson(c, tagChange);
  await limitWrites(c);
  return c.json(tagOf(await changeTag(c.get('db'), id, tagId(c), change)));
});

tagsRoutes.post('/tags/:id/merge', async (c) => {
  const { id } = requireMember(c);
  const { into } = readJson(c, tagMerge);
  await limitWrites(c);
  return c.json(tagOf(await mergeTag(c.get('db'), id, tagId(c), into)));
});

tagsRoutes.delete('/tags/:id', async (c) => {
  const { id } = requireMember(c);
  await limitWrites(c);
  tagOf(await deleteTag(c.get('db'), id, tagId(c)));
  return c.json({ success: true });
});

/** Returns 0, an id that no tag has, for a path without a valid id. */
const tagId = (c: Context<ApiEnv>): number => idFromCursor(c.req.param('id') ?? '') ?? 0;

function tagOf(result: TagResult) {
  if (!result.ok) throw apiError(result.reason);
  return result.tag;
}
