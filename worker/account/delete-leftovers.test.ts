import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { link_imports } from '#worker/db/schema-link-imports.ts';
import { links, link_words } from '#worker/db/schema-links.ts';
import { link_tags, tags } from '#worker/db/schema-tags.ts';
import { deleted_users } from '#worker/db/schema-users.ts';
import { findInDatabase } from '#worker/testing/scan.ts';
import { deleteLeftovers } from './delete-leftovers.ts';

const db = openDb(env.DB);
const NOW = 10 * DAY_MS;

/** Rows that requests of a deleted account wrote late, and that deleting it did not see. */
async function writeLate(user_id: string): Promise<void> {
  const times = { created_at: 1, updated_at: 1 };
  const link = { user_id, target: 'https://late.example/', target_host: 'late.example', ...times };
  await db.batch([
    db.insert(links).values([
      {
        ...link,
        code: 'kept',
        title: 'x',
        note: 'x',
        words: 'x',
        external_id: 'x',
        imported_from: 'x',
        imported_clicks: 1,
        favorite: true,
        archived: true,
        watch: 'always',
      },
      { ...link, code: 'deleted', status: 'deleted' },
    ]),
    db.insert(link_words).values({ user_id, word: 'late', link_id: 1 }),
    db.insert(link_imports).values({ user_id, row_key: 'x', link_id: 1, import_id: 'x', line: 1 }),
    db.insert(tags).values({ id: 1, user_id, name: 'late', color: 'red', created_at: 1 }),
    db.insert(link_tags).values({ link_id: 1, tag_id: 1, link_created_at: 1 }),
    db.insert(posts).values([
      { slug: 'draft', title: 'x', content: 'x', author_id: user_id, published: false, ...times },
      { slug: 'post', title: 'x', content: 'x', author_id: user_id, published: true, ...times },
    ]),
  ]);
}

describe('deleteLeftovers', () => {
  it('removes the owner from every kind of row for a day after the deletion', async () => {
    const id = crypto.randomUUID();
    await writeLate(id);
    await db.insert(deleted_users).values({ id_hash: 'x', deleted_at: NOW });
    expect(await deleteLeftovers(env, NOW + DAY_MS)).toEqual({});
    expect(await findInDatabase(new RegExp(id))).not.toEqual([]);
    expect(await deleteLeftovers(env, NOW + DAY_MS - 1)).toEqual({
      done: { rows_disowned: expect.any(Number) },
    });
    expect(await findInDatabase(new RegExp(id))).toEqual([]);
    const rows = await db.select().from(links).orderBy(links.code);
    expect(rows).toMatchObject([
      { code: 'deleted', user_id: null, target: '', target_host: '' },
      {
        code: 'kept',
        user_id: null,
        target: 'https://late.example/',
        title: '',
        note: '',
        words: '',
        imported_clicks: null,
        favorite: false,
        archived: false,
        watch: 'off',
        external_id: null,
        imported_from: null,
      },
    ]);
    expect(await db.select().from(link_tags)).toEqual([]);
    expect(await db.select({ slug: posts.slug, by: posts.author_id }).from(posts)).toEqual([
      { slug: 'post', by: null },
    ]);
    expect(await db.select().from(tags).where(eq(tags.id, 1))).toEqual([]);
  });
});
