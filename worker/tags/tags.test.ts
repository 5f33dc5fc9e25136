import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { TAGS_MAX } from '#contract/limits.ts';
import { TAG_COLORS } from '#contract/links/tags.ts';
import { openDb } from '#worker/db/client.ts';
import { beforeBatch } from '#worker/testing/faults.ts';
import { makePerson } from '#worker/testing/make.ts';
import { insertRow } from '#worker/testing/stored-links.ts';
import { createTag, ensureTags, listTags, mergeTag } from './tags.ts';

const NOW = 1_800_000_000_000;
const db = openDb(env.DB);

async function makeTags(names: readonly string[]) {
  const { id: userId } = await makePerson();
  const result = await ensureTags(db, userId, names, NOW);
  if (!result.ok) throw new Error(result.reason);
  return { userId, tags: result.tags };
}
const linksWith = async (tagId: number): Promise<unknown[]> =>
  (await env.DB.prepare('SELECT link_id FROM link_tags WHERE tag_id = ?1').bind(tagId).all())
    .results;

describe('ensureTags', () => {
  it('gives new tags the colors that the fewest tags have, in their order', async () => {
    const names = TAG_COLORS.map((_, at) => `t${at}`);
    const { userId, tags } = await makeTags(names);
    expect(tags.map(({ color }) => color)).toEqual([...TAG_COLORS]);
    const made = await createTag(db, userId, { name: 'U' }, NOW);
    expect(made).toMatchObject({ ok: true, tag: { color: TAG_COLORS[0] } });
    const listed = (await listTags(db, userId)).map(({ name }) => name);
    expect(listed).toEqual([...names, 'U']);
  });

  it('creates all missing tags or none', async () => {
    const { userId } = await makeTags(Array.from({ length: TAGS_MAX - 1 }, (_, at) => `t${at}`));
    expect(await ensureTags(db, userId, ['t1', 'new', 'newer'], NOW)).toMatchObject({
      reason: 'too_many_tags',
    });
    expect(await listTags(db, userId)).toHaveLength(TAGS_MAX - 1);
    expect(await ensureTags(db, userId, ['t1', 'new'], NOW)).toMatchObject({ ok: true });
  });
});

describe('mergeTag', () => {
  it('moves a tag of many links in steps, also of links that have both', async () => {
    const { userId, tags } = await makeTags(['from', 'into']);
    const [from, into] = tags.map(({ id }) => id);
    await env.DB.batch([
      env.DB.prepare(
        `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < 2001)
         INSERT INTO link_tags (link_id, tag_id, link_created_at) SELECT 900000 + i, ?1, 5 FROM seq`,
      ).bind(from),
      env.DB.prepare('INSERT INTO link_tags VALUES (900001, ?1, 5)').bind(into),
    ]);
    expect(await mergeTag(db, userId, from ?? 0, into ?? 0)).toMatchObject({ ok: true });
    expect([(await linksWith(from ?? 0)).length, (await linksWith(into ?? 0)).length]).toEqual([
      0, 2001,
    ]);
    expect((await listTags(db, userId)).map(({ name }) => name)).toEqual(['into']);
  });

  it('gives links no tag that is deleted meanwhile', async () => {
    const { userId, tags } = await makeTags(['from', 'into']);
    const [from = 0, into = 0] = tags.map(({ id }) => id);
    const code = await insertRow(NOW, { user_id: userId });
    await env.DB.prepare('INSERT INTO link_tags SELECT id, ?1, 5 FROM links WHERE code = ?2')
      .bind(from, code)
      .run();
    const racing = openDb(
      beforeBatch(env.DB, () => env.DB.prepare('DELETE FROM tags WHERE id = ?1').bind(into).run()),
    );
    await mergeTag(racing, userId, from, into);
    expect(await linksWith(into)).toEqual([]);
  });

  it('keeps the tags of others', async () => {
    const [mine, theirs] = [await makeTags(['a']), await makeTags(['b'])];
    const [from = 0, into = 0] = [mine, theirs].map(({ tags }) => tags[0]?.id);
    expect(await mergeTag(db, mine.userId, from, into)).toMatchObject({ ok: false });
    expect(await mergeTag(db, mine.userId, into, from)).toMatchObject({ ok: false });
    expect(await listTags(db, theirs.userId)).toHaveLength(1);
  });
});
