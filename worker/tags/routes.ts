import { Hono } from 'hono';
import { tagChange, tagInput, tagMerge, type TagsResponse } from '#contract/links/tags.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { idParam, readJson, requireMember } from '#worker/http/validate.ts';
import { changeTag, createTag, deleteTag, listTags, mergeTag, type TagResult } from './tags.ts';

export const tagsRoutes = new Hono<ApiEnv>();

tagsRoutes.get('/tags', async (c) => {
  return c.json({ tags: await listTags(c.get('db'), requireMember(c).id) } satisfies TagsResponse);
});

tagsRoutes.post('/tags', async (c) => {
  const input = readJson(c, tagInput);
  const { id } = await limitWrites(c);
  return c.json(tagOf(await createTag(c.get('db'), id, input, c.get('now'))), 201);
});

tagsRoutes.patch('/tags/:id', async (c) => {
  const change = readJson(c, tagChange);
  const { id } = await limitWrites(c);
  return c.json(tagOf(await changeTag(c.get('db'), id, idParam(c), change)));
});

tagsRoutes.post('/tags/:id/merge', async (c) => {
  const { into } = readJson(c, tagMerge);
  const { id } = await limitWrites(c);
  return c.json(tagOf(await mergeTag(c.get('db'), id, idParam(c), into)));
});

tagsRoutes.delete('/tags/:id', async (c) => {
  const { id } = await limitWrites(c);
  tagOf(await deleteTag(c.get('db'), id, idParam(c)));
  return c.json({ success: true });
});

function tagOf(result: TagResult) {
  if (!result.ok) throw apiError(result.reason);
  return result.tag;
}
