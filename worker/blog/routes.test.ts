import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { postInput, type Post, type PublicPost } from '#contract/blog/blog.ts';
import { POSTS_MAX } from './store.ts';
import { openDb } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { call } from '#worker/testing/call.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { changePost, createPost, deletePost } from './posts.ts';

const db = openDb(env.DB);
let admin: Person;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
  ann = await makePerson();
  bob = await makePerson();
});

let n = 0;
const draft = (over: Record<string, unknown> = {}) => {
  n += 1;
  return { title: `Title ${n}`, slug: `title-${n}`, content: `Line one\nLine two ${n}`, ...over };
};
const post = (who: Person, json: unknown) =>
  call('/api/blogs-admin', { json, headers: who.headers });
const patch = (who: Person, id: number, json: unknown) =>
  call(`/api/blogs-admin/${id}`, { method: 'PATCH', json, headers: who.headers });
const remove = (who: Person, id: number) =>
  call(`/api/blogs-admin/${id}`, { method: 'DELETE', headers: who.headers });
const idOf = async (response: Response): Promise<number> => {
  expect(response.status).toBe(201);
  return (await response.json<{ id: number }>()).id;
};

describe('excerpt, author and tags', () => {
  it('a post stores and changes them, and lists are filtered by a tag', async () => {
    const details = {
      excerpt: ' In  short. ',
      author: 'Asha Rao',
      tags: ['#News', 'news', 'C++ & co'],
    };
    const made = await post(admin, draft({ ...details, published: true }));
    expect(made.status).toBe(201);
    const { id, slug, ...rest } = await made.json<Post>();
    expect(rest).toMatchObject({
      excerpt: 'In short.',
      author: 'Asha Rao',
      tags: ['news', 'c++ & co'],
    });
    const slugs = async (tag: string): Promise<string[]> =>
      (await (await call(`/api/blogs?tag=${encodeURIComponent(tag)}`)).json<Post[]>()).map(
        (item) => item.slug,
      );
    expect(await slugs('NEWS')).toEqual([slug]);
    expect(await slugs('new')).toEqual([]);
    expect(await slugs('%')).toEqual([]);
    await patch(admin, id, { tags: ['c++ & co'] });
    expect(await slugs('news')).toEqual([]);
    expect(await slugs('c++ & co')).toEqual([slug]);
    // A change of another field leaves them as they are.
    expect(await (await patch(admin, id, { title: 'New' })).json()).toMatchObject({
      excerpt: 'In short.',
      author: 'Asha Rao',
      tags: ['c++ & co'],
    });
    expect((await remove(admin, id)).status).toBe(200);
    expect(await slugs('c++ & co')).toEqual([]);
  });

  it('a post of the release before has empty ones', async () => {
    await env.DB.prepare(
      "insert into posts (slug, title, content, published, created_at, updated_at, published_at) values ('earlier', 'E', 'One\ntwo', 1, ?1, ?1, ?1)",
    )
      .bind(Date.UTC(2002, 0, 1))
      .run();
    expect(await (await call('/api/blog/earlier')).json()).toMatchObject({
      excerpt: '',
      author: '',
      tags: [],
    });
  });

  it('a post with too long or too many of them is rejected', async () => {
    for (const over of [
      { excerpt: 'a'.repeat(201) },
      { author: 'a'.repeat(81) },
      { author: 'a\u0000' },
      { tags: ['a'.repeat(31)] },
      { tags: ['a,b'] },
      { tags: ['#'] },
      { tags: ['1', '2', '3', '4', '5', '6'] },
      { tags: 'a' },
    ])
      expect((await post(ann, draft(over))).status, JSON.stringify(over)).toBe(400);
    expect((await call(`/api/blogs?tag=${'a'.repeat(31)}`)).status).toBe(400);
  });
});

describe('reading posts', () => {
  it('returns published posts to everyone, and 404 for drafts', async () => {
    const first = await (await post(admin, draft({ published: true }))).json<{ slug: string }>();
    const second = await (await post(admin, draft({ published: true }))).json<{ slug: string }>();
    const hidden = await (await post(admin, draft())).json<{ slug: string }>();
    const list = await (await call('/api/blogs')).json<{ slug: string; published: boolean }[]>();
    expect(list.map((item) => item.slug).slice(0, 2)).toEqual([second.slug, first.slug]);
    expect(list.every((item) => item.published)).toBe(true);
    expect(await (await call(`/api/blog/${first.slug}`)).json()).toMatchObject({
      slug: first.slug,
      content: expect.stringContaining('Line one\nLine two'),
      published_at: expect.stringMatching(/Z$/),
    });
    expect((await call(`/api/blog/${hidden.slug}`)).status).toBe(404);
    expect((await call('/api/blog/none-such')).status).toBe(404);
    expect(
      (await call('/api/blog/none-such', { headers: { Authorization: 'Bearer rubbish' } })).status,
    ).toBe(404);
  });

  it('names the post before and the one after, and no drafts', async () => {
    const at = Date.UTC(2001, 0, 1);
    const rows = [
      { slug: 'first', published: true },
      { slug: 'unfinished', published: false },
      // In the same millisecond: the id decides, as in the list.
      { slug: 'second', published: true },
      { slug: 'third', published: true, created_at: at + 1 },
    ];
    for (const row of rows)
      await db.insert(posts).values({
        title: `Title of ${row.slug}`,
        content: 'x',
        created_at: at,
        updated_at: at,
        ...row,
      });
    const read = async (slug: string) => (await call(`/api/blog/${slug}`)).json<PublicPost>();
    const link = (slug: string) => ({ slug, title: `Title of ${slug}` });
    expect(await read('first')).toMatchObject({ previous: null, next: link('second') });
    expect(await read('second')).toMatchObject({ previous: link('first'), next: link('third') });
    expect((await read('third')).previous).toEqual(link('second'));
  });

  it('lists own posts for a member and all posts for an administrator', async () => {
    const id = await idOf(await post(ann, draft()));
    const mine = async (who: Person) =>
      (
        await (await call('/api/blogs-admin', { headers: who.headers })).json<{ id: number }[]>()
      ).map((item) => item.id);
    expect(await mine(ann)).toEqual([id]);
    expect(await mine(bob)).toEqual([]);
    expect(await mine(admin)).toContain(id);
    expect((await call('/api/blogs-admin')).status).toBe(401);
  });

  it('limits the list and pages to older posts without gaps', async () => {
    const rows = Array.from({ length: POSTS_MAX + 30 }, (_, i) => ({
      slug: `bulk-${i}`,
      title: 'Bulk',
      content: 'x'.repeat(i < 40 ? 50_000 : 10),
      published: true,
      created_at: 1000 + Math.floor(i / 7),
      updated_at: 1000,
    }));
    for (const row of rows) await db.insert(posts).values(row);
    const seen: number[] = [];
    let path: string | undefined = '/api/blogs';
    let pages = 0;
    while (path !== undefined) {
      const response: Response = await call(path);
      const list = await response.json<{ id: number; content: string }[]>();
      expect(list.length).toBeLessThanOrEqual(POSTS_MAX);
      expect(list.reduce((sum, item) => sum + item.content.length, 0)).toBeLessThanOrEqual(
        1_000_000,
      );
      seen.push(...list.map((item) => item.id));
      path = /<(.*)>/.exec(response.headers.get('Link') ?? '')?.[1];
      pages += 1;
    }
    expect(pages).toBeGreaterThan(2);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(rows.length);
    const [newest = 0, next = 0] = seen;
    const { headers } = admin;
    const older = await call(`/api/blogs-admin?before=${next}`, { headers });
    const olderIds = (await older.json<Post[]>()).map(({ id }) => id);
    expect([olderIds.length > 0, olderIds.includes(newest)]).toEqual([true, false]);
    await env.DB.exec(`UPDATE posts SET tags = '["c++"]' WHERE title = 'Bulk'`);
    const first = await call(`/api/blogs?tag=${encodeURIComponent('c++')}`);
    expect(first.headers.get('Link')).toMatch(/\?before=\d+&tag=c%2B%2B>/);
  });
});

describe('writing posts', () => {
  it('lets members save drafts but not publish them', async () => {
    const refused = await post(ann, draft({ published: true }));
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: 'forbidden', field: 'published' });
    const id = await idOf(await post(ann, draft()));
    expect((await patch(ann, id, { published: true })).status).toBe(403);
    expect((await patch(ann, id, { title: 'Better' })).status).toBe(200);
    expect(await db.select().from(posts).where(eq(posts.id, id)).get()).toMatchObject({
      title: 'Better',
      published: false,
    });
  });

  it('returns 404 for drafts of others and 403 for an own published post', async () => {
    const id = await idOf(await post(ann, draft()));
    expect((await patch(bob, id, { title: 'Mine now' })).status).toBe(404);
    expect((await remove(bob, id)).status).toBe(404);
    expect((await patch(admin, id, { published: true })).status).toBe(200);
    expect((await patch(ann, id, { title: 'Changed' })).status).toBe(403);
    expect((await remove(ann, id)).status).toBe(403);
    expect((await patch(admin, id, { published: false })).status).toBe(200);
    expect((await remove(ann, id)).status).toBe(200);
    expect((await remove(ann, id)).status).toBe(404);
  });

  it('[T29] slugs stay unique per author and among published posts in parallel', async () => {
    const one = draft();
    const id = await idOf(await post(ann, one));
    expect(await (await post(ann, draft({ slug: one.slug }))).json()).toMatchObject({
      code: 'slug_taken',
      field: 'slug',
    });
    const other = await idOf(await post(ann, draft()));
    expect((await patch(ann, other, { slug: one.slug })).status).toBe(409);
    expect((await patch(admin, other, { slug: one.slug })).status).toBe(409);
    expect((await patch(ann, id, { slug: one.slug, title: 'Same slug, own post' })).status).toBe(
      200,
    );
    for (const [who, published] of [
      [ann, false],
      [admin, true],
    ] as const) {
      const race = await Promise.all(
        Array.from({ length: 8 }, () => post(who, draft({ slug: 'race', published }))),
      );
      expect(race.filter((r) => r.status === 201)).toHaveLength(1);
      expect(race.filter((r) => r.status === 409)).toHaveLength(7);
    }
  });

  it('changes only the given fields', async () => {
    const id = await idOf(await post(admin, draft({ published: true })));
    const before = await db.select().from(posts).where(eq(posts.id, id)).get();
    await patch(admin, id, { title: 'New title' });
    const after = await db.select().from(posts).where(eq(posts.id, id)).get();
    expect(after).toEqual({ ...before, title: 'New title', updated_at: after?.updated_at });
    expect((await patch(admin, id, {})).status).toBe(400);
    // A post that was hidden meanwhile keeps the day of its publication.
    const publishedAt = 'UPDATE posts SET published_at = 5 WHERE id = ?1';
    await env.DB.prepare(publishedAt).bind(id).run();
    for (const published of [false, true]) await patch(admin, id, { published });
    const again = await db.select().from(posts).where(eq(posts.id, id)).get();
    expect(again).toMatchObject({ published: true, published_at: 5 });
  });

  it('records only successful actions of administrators', async () => {
    const one = draft({ published: true });
    const id = await idOf(await post(admin, one));
    await post(admin, draft({ slug: one.slug, published: true }));
    await patch(admin, id, { title: 'Logged' });
    await remove(admin, id);
    await post(ann, draft());
    const entries = await db
      .select()
      .from(admin_log)
      .where(eq(admin_log.subject, `post:${one.slug}`));
    expect(entries.map((e) => e.action)).toEqual(['create_post', 'change_post', 'delete_post']);
    expect(entries.map((e) => e.admin_id)).toEqual([admin.id, admin.id, admin.id]);
    // The length of the text, and not the text.
    const facts = { slug: one.slug, published: true, characters: one.content.length };
    expect(JSON.parse(entries[1]?.before ?? '')).toEqual({ ...facts, title: one.title });
    expect(JSON.parse(entries[1]?.after ?? '')).toEqual({ ...facts, title: 'Logged' });
  });

  it('accepts the longest post and rejects longer and malformed ones', async () => {
    expect((await post(ann, draft({ content: 'ü'.repeat(100_000) }))).status).toBe(201);
    expect((await post(ann, draft({ content: 'x'.repeat(100_001) }))).status).toBe(400);
    expect((await post(ann, draft({ content: 'x'.repeat(300_000) }))).status).toBe(413);
    for (const bad of [
      { title: ' \n ' },
      { slug: '' },
      { slug: 'Up' },
      { slug: 'a--b' },
      { content: ' ' },
      { published: 'yes' },
      { title: '\u0000x' },
    ])
      expect((await post(ann, draft(bad))).status).toBe(400);
    for (const id of ['0', '-1', '1e3', 'abc', '99999999999999999999'])
      expect(
        (await call(`/api/blogs-admin/${id}`, { method: 'DELETE', headers: admin.headers })).status,
      ).toBe(404);
  });

  it('limits the number of drafts of a member', async () => {
    const carl = await makePerson();
    const rows = Array.from({ length: 100 }, (_, i) => ({
      slug: `carl-${i}`,
      title: 'x',
      content: 'x',
      author_id: carl.id,
      created_at: 1,
      updated_at: 1,
    }));
    for (const row of rows) await db.insert(posts).values(row);
    const full = await post(carl, draft());
    const error = expect.stringContaining('100 drafts');
    expect([full.status, await full.json()]).toMatchObject([409, { error }]);
    const first = await db.select().from(posts).where(eq(posts.slug, 'carl-0')).get();
    await remove(carl, first?.id ?? 0);
    expect((await post(carl, draft())).status).toBe(201);
  });

  it('lets a member over the size limit shorten a draft', async () => {
    const dora = await makePerson();
    const long = draft({ content: 'ü'.repeat(100_000) });
    for (let i = 0; i < 6; i += 1)
      await db.insert(posts).values({
        ...long,
        slug: `${dora.id}/dora-${i}`,
        author_id: dora.id,
        created_at: 1,
        updated_at: 1,
      });
    const { id } = (await db
      .select({ id: posts.id })
      .from(posts)
      .where(eq(posts.slug, `${dora.id}/dora-0`))
      .get()) ?? { id: 0 };
    expect((await patch(dora, id, { content: long.content })).status).toBe(200);
    expect((await patch(dora, id, { content: `${long.content.slice(1)}x` })).status).toBe(200);
    const refused = await patch(dora, id, { content: long.content });
    expect(await refused.json()).toMatchObject({
      code: 'conflict',
      error: expect.stringContaining('1,001 KB of 1,000 KB'),
    });
    expect((await patch(admin, id, { content: long.content })).status).toBe(200);
  });

  it('says that a slug is taken by another draft of the author', async () => {
    const first = draft();
    await post(ann, first);
    const id = await idOf(await post(ann, draft()));
    for (const who of [ann, admin]) {
      const answer = await patch(who, id, { slug: first.slug });
      expect([answer.status, (await answer.json<{ field?: string }>()).field]).toEqual([
        409,
        'slug',
      ]);
    }
  });

  it('[T27] every write of a post counts against the rate limit of the member', async () => {
    const path = `/api/blogs-admin/${await idOf(await post(ann, draft()))}`;
    const LIMIT_WRITES = { limit: () => Promise.resolve({ success: false }) };
    const { headers } = ann;
    for (const [method, to, json] of [
      ['POST', '/api/blogs-admin', draft()],
      ['PATCH', path, { title: 'New' }],
      ['DELETE', path, undefined],
    ] as const)
      expect((await call(to, { method, json, headers }, { LIMIT_WRITES })).status).toBe(429);
    expect((await remove(ann, Number(path.split('/').at(-1)))).status).toBe(200);
  });

  it('ignores x-user-id', async () => {
    const id = await idOf(await post(ann, draft()));
    expect(
      (
        await call(`/api/blogs-admin/${id}`, {
          method: 'DELETE',
          headers: { ...bob.headers, 'x-user-id': ann.id },
        })
      ).status,
    ).toBe(404);
  });

  it('rejects one of two changes of a post within one millisecond', async () => {
    const now = Date.now();
    const writer = { id: admin.id, admin: true };
    const made = await createPost(db, writer, postInput.parse(draft()), now);
    const id = made.ok ? made.post.id : 0;
    // The second change is stored between the read and the write of the first one.
    let calls = 0;
    const around = aroundD1(env.DB, async (_, run) => {
      const result = await run();
      if (calls++ === 0)
        expect(await changePost(db, writer, id, { title: 'Second' }, now)).toMatchObject({
          ok: true,
        });
      return result;
    });
    const first = await changePost(openDb(around), writer, id, { title: 'First' }, now);
    expect(first).toEqual({ ok: false, reason: 'post_changed' });
    expect(await db.select().from(posts).where(eq(posts.id, id)).get()).toMatchObject({
      title: 'Second',
      updated_at: now + 1,
    });
    calls = 0;
    expect(await deletePost(openDb(around), writer, id, now)).toEqual(first);
    expect(await db.$count(posts, eq(posts.id, id))).toBe(1);
  });
});
