import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

let member: Person;
beforeEach(async () => {
  member = await makePerson();
});

let n = 0;
const input = (over: Record<string, unknown> = {}) => ({
  title: 'Draft',
  slug: `limit-${(n += 1)}`,
  content: 'x',
  ...over,
});
const post = (who: Person, json: unknown) =>
  call('/api/blogs-admin', { json, headers: who.headers });
const patch = (who: Person, id: number, json: unknown) =>
  call(`/api/blogs-admin/${id}`, { method: 'PATCH', json, headers: who.headers });
/** 100,000 characters of two bytes: the longest possible post. */
const LONG = 'ü'.repeat(100_000);
const kept = async (who: Person) =>
  (await env.DB.prepare(
    'SELECT count(*) AS drafts, coalesce(sum(length(CAST(title || content AS BLOB))), 0) AS bytes FROM posts WHERE author_id = ?',
  )
    .bind(who.id)
    .first<{ drafts: number; bytes: number }>()) ?? { drafts: -1, bytes: -1 };
const statusesOf = (answers: readonly Response[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

describe('draft limits', () => {
  it('[A10] parallel drafts of a member stay within a million bytes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(member, input({ content: LONG }))),
    );
    expect(statusesOf(answers)).toEqual([201, 201, 201, 201, 409, 409, 409, 409]);
    expect((await kept(member)).bytes).toBeLessThanOrEqual(1_000_000);
    const refused = await (
      await post(member, input({ content: LONG }))
    ).json<{ code: string; error: string }>();
    expect(refused).toMatchObject({
      code: 'conflict',
      error: expect.stringMatching(/use 801 KB of 1,000 KB.*Delete a draft/),
    });
    const room = 1_000_000 - (await kept(member)).bytes - 'Draft'.length;
    const fill = 'ü'.repeat(99_980).padEnd(room - 99_980, 'x');
    expect((await post(member, input({ content: `${fill}x` }))).status).toBe(409);
    expect((await post(member, input({ content: fill }))).status).toBe(201);
    // Published posts do not count.
    await env.DB.prepare('UPDATE posts SET published = 1 WHERE author_id = ?')
      .bind(member.id)
      .run();
    expect((await post(member, input({ content: LONG }))).status).toBe(201);
  });

  it('[A10] parallel changes of drafts stay within a million bytes', async () => {
    const drafts = await Promise.all(Array.from({ length: 8 }, () => post(member, input())));
    const ids = await Promise.all(
      drafts.map(async (answer) => (await answer.json<{ id: number }>()).id),
    );
    const answers = await Promise.all(ids.map((id) => patch(member, id, { content: LONG })));
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 409, 409, 409, 409]);
    expect((await kept(member)).bytes).toBeLessThanOrEqual(1_000_000);
  });

  it('the old text of a draft that is lengthened does not count', async () => {
    for (let i = 0; i < 4; i += 1)
      expect((await post(member, input({ content: LONG }))).status).toBe(201);
    const made = await (
      await post(member, input({ content: 'x'.repeat(50_000) }))
    ).json<{ id: number }>();
    expect((await patch(member, made.id, { content: 'x'.repeat(99_000) })).status).toBe(200);
    expect((await kept(member)).bytes).toBeGreaterThan(898_000);
    const fuller = await (
      await post(member, input({ content: 'x'.repeat(90_000) }))
    ).json<{ id: number }>();
    expect((await patch(member, fuller.id, { content: 'ü'.repeat(50_000) })).status).toBe(200);
    expect((await patch(member, fuller.id, { content: 'ü'.repeat(51_000) })).status).toBe(409);
  });

  it('[A10] parallel drafts stay within the number of drafts', async () => {
    await env.DB.prepare(
      `INSERT INTO posts (slug, title, content, author_id, created_at, updated_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
     SELECT ?1 || '/many-' || i, 'x', 'x', ?1, 1, 1 FROM n`,
    )
      .bind(member.id)
      .run();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(member, input())));
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409, 409, 409]);
    expect((await kept(member)).drafts).toBe(100);
  });

  it('[A10] reserves the slug of a draft for its author only', async () => {
    const other = await makePerson();
    const admin = await makePerson({ role: 'admin' });
    const { slug } = input();
    expect((await post(member, input({ slug }))).status).toBe(201);
    expect((await post(member, input({ slug }))).status).toBe(409);
    expect((await post(other, input({ slug }))).status).toBe(201);
    expect((await post(admin, input({ slug, published: true }))).status).toBe(201);
    expect((await call(`/api/blog/${slug}`)).status).toBe(200);
  });
});
