import { Hono, type Context } from 'hono';
import type { Tag } from '#contract/links/tags.ts';
import {
  tagInputV1,
  tagMergeV1,
  tagPatchV1,
  type V1Tag,
  type V1TagList,
} from '#contract/v1/v1-tags.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { readJson, requireAccount, requireKey } from '#worker/http/validate.ts';
import {
  changeTag,
  countLinksByTag,
  createTag,
  deleteTag,
  listTags,
  mergeTag,
  type TagResult,
} from '#worker/tags/tags.ts';

type C = Context<ApiEnv>;

export const tagsV1 = new Hono<ApiEnv>();

tagsV1.get('/tags', async (c) => {
  const userId = requireAccount(c, 'tags_with_prefix');
  return c.json({
    data: await toV1Tags(c, await listTags(c.get('db'), userId)),
  } satisfies V1TagList);
});

tagsV1.post('/tags', async (c) => {
  const userId = requireAccount(c, 'tags_with_prefix');
  const input = readJson(c, tagInputV1);
  return sendTag(c, await createTag(c.get('db'), userId, input, c.get('now')), 201);
});

tagsV1.patch('/tags/:name', async (c) => {
  const userId = requireAccount(c, 'tags_with_prefix');
  const change = readJson(c, tagPatchV1);
  const { id } = await requireTag(c, c.req.param('name'));
  return sendTag(c, await changeTag(c.get('db'), userId, id, change));
});

tagsV1.post('/tags/:name/merge', async (c) => {
  const userId = requireAccount(c, 'tags_with_prefix');
  const { into } = readJson(c, tagMergeV1);
  const [from, to] = [await requireTag(c, c.req.param('name')), await requireTag(c, into)];
  return sendTag(c, await mergeTag(c.get('db'), userId, from.id, to.id));
});

tagsV1.delete('/tags/:name', async (c) => {
  const userId = requireAccount(c, 'tags_with_prefix');
  const { id } = await requireTag(c, c.req.param('name'));
  const result = await deleteTag(c.get('db'), userId, id);
  if (!result.ok) throw apiError(result.reason);
  return c.body(null, 204);
});

/** Returns the tag with this name, ignoring case. Throws 404. */
async function requireTag(c: C, name: string): Promise<Tag> {
  const key = name.normalize('NFC').toLowerCase();
  const tags = await listTags(c.get('db'), requireKey(c).userId);
  const found = tags.find((tag) => tag.name.toLowerCase() === key);
  if (found === undefined) throw apiError('tag_not_found');
  return found;
}

async function sendTag(c: C, result: TagResult, status: 200 | 201 = 200): Promise<Response> {
  if (!result.ok) throw apiError(result.reason);
  const [tag] = await toV1Tags(c, [result.tag]);
  return c.json(tag, status);
}

async function toV1Tags(c: C, tags: readonly Tag[]): Promise<V1Tag[]> {
  const counts = await countLinksByTag(
    c.get('db'),
    tags.map(({ id }) => id),
  );
  return tags.map(({ id, name, color }) => ({ name, color, links: counts.get(id) ?? 0 }));
}
