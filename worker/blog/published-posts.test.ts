import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { newestPublishedPosts, publishedAt, publishedPostAddresses } from './published-posts.ts';

const db = openDb(env.DB);
const DAY = 86_400_000;
const start = Date.UTC(2026, 0, 1);
let admin: Person;

/** Created in another order than stored and published; every time is different. */
const AGES = [3, 1, 4, 2];
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
  for (const [index, age] of AGES.entries())
    await db.insert(posts).values({
      slug: `age-${age}`,
      title: `Age ${age}`,
      content: 'Text.',
      published: true,
      created_at: start - age * DAY,
      published_at: start + index * DAY + 1,
      updated_at: start + index * DAY + 2,
    });
});

describe('published posts', () => {
  it('posts are listed in feed and sitemap from the newest on, up to a count', async () => {
    expect((await newestPublishedPosts(db, 3)).map(({ slug }) => slug)).toEqual([
      'age-1',
      'age-2',
      'age-3',
    ]);
    expect(await publishedPostAddresses(db, 3)).toEqual([
      { slug: 'age-1', updated_at: start + DAY + 2 },
      { slug: 'age-2', updated_at: start + 3 * DAY + 2 },
      { slug: 'age-3', updated_at: start + 2 },
    ]);
  });

  it('carry the time of their publication, not of their first draft', async () => {
    const [newest] = await newestPublishedPosts(db, 1);
    expect(newest && publishedAt(newest)).toBe(start + DAY + 1);
    const feed = await (await call('/feed.xml', {}, builtAssets)).text();
    expect(feed).toContain('<pubDate>Fri, 02 Jan 2026 00:00:00 GMT</pubDate>');
    expect(feed).toContain('<lastBuildDate>Sun, 04 Jan 2026 00:00:00 GMT</lastBuildDate>');
  });

  it('appear and disappear at once in every list of this data center', async () => {
    const lists = [
      '/api/blogs',
      '/api/blogs?tag=t',
      '/feed.xml',
      '/sitemap.xml',
      '/blogs',
      '/blogs?tag=t',
    ];
    const all = (shown: boolean) => lists.map(() => shown);
    const shownIn = async () =>
      Promise.all(
        lists.map(async (path) =>
          (await (await call(path, {}, builtAssets)).text()).includes('just-written'),
        ),
      );
    expect(await shownIn()).toEqual(all(false));
    const text = { title: 'New', slug: 'just-written', content: 'Text.', tags: ['t'] };
    const json = { ...text, published: true };
    const made = await call('/api/blogs-admin', { json, headers: admin.headers });
    const { id } = await made.json<{ id: number }>();
    expect(await shownIn()).toEqual(all(true));
    expect((await call('/api/blog/just-written')).status).toBe(200);
    await call(`/api/blogs-admin/${id}`, { method: 'DELETE', headers: admin.headers });
    expect(await shownIn()).toEqual(all(false));
    expect((await call('/api/blog/just-written')).status).toBe(404);
    expect((await call('/blog/just-written', {}, builtAssets)).status).toBe(404);
  });
});
