import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccountExport } from '#contract/account/account.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

let admin: Person;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  admin = await makePerson({ role: 'admin' });
  ann = await makePerson();
  bob = await makePerson();
});

type Answer = { id: number; slug: string; code: string; field: string };
const post = async (who: Person, slug: string, over: Record<string, unknown> = {}) =>
  (
    await call('/api/blogs-admin', {
      json: { title: 'Title', content: 'Text', slug, ...over },
      headers: who.headers,
    })
  ).json<Answer>();
const patch = async (who: Person, id: number, json: unknown) =>
  (
    await call(`/api/blogs-admin/${id}`, { method: 'PATCH', json, headers: who.headers })
  ).json<Answer>();
const stored = async (id: number) =>
  (await env.DB.prepare('SELECT slug FROM posts WHERE id = ?').bind(id).first<{ slug: string }>())
    ?.slug;
const TAKEN = { code: 'slug_taken', field: 'slug' };

describe('stored slugs', () => {
  it('returns the public slug in every response and in the export', async () => {
    const draft = await post(ann, 'shown');
    expect(draft.slug).toBe('shown');
    expect(await stored(draft.id)).toBe(`${ann.id}/shown`);
    const list = await (await call('/api/blogs-admin', { headers: ann.headers })).json<Answer[]>();
    expect(list.map(({ slug }) => slug)).toEqual(['shown']);
    const { posts } = await (
      await call('/api/account/export', { headers: ann.headers })
    ).json<AccountExport>();
    expect(posts.map(({ slug }) => slug)).toEqual(['shown']);
    expect((await patch(ann, draft.id, { slug: 'renamed' })).slug).toBe('renamed');
    expect(await stored(draft.id)).toBe(`${ann.id}/renamed`);
    expect((await patch(admin, draft.id, { published: true })).slug).toBe('renamed');
    expect(await stored(draft.id)).toBe('renamed');
    expect((await patch(admin, draft.id, { published: false })).slug).toBe('renamed');
    expect(await stored(draft.id)).toBe(`${ann.id}/renamed`);
    for (const path of ['renamed', `${ann.id}/renamed`, encodeURIComponent(`${ann.id}/renamed`)])
      expect((await call(`/api/blog/${path}`)).status).toBe(404);
  });

  it('returns 409 for publishing under a taken slug, and accepts another', async () => {
    await post(admin, 'public', { published: true });
    const draft = await post(bob, 'public');
    expect(draft.slug).toBe('public');
    expect(await patch(admin, draft.id, { published: true })).toMatchObject(TAKEN);
    expect(await stored(draft.id)).toBe(`${bob.id}/public`);
    expect((await patch(admin, draft.id, { published: true, slug: 'public-2' })).slug).toBe(
      'public-2',
    );
    expect(await patch(admin, draft.id, { slug: 'public' })).toMatchObject(TAKEN);
  });

  it('publishes one of two drafts with the same slug at once', async () => {
    const drafts = await Promise.all([ann, bob].map((who) => post(who, 'both')));
    const answers = await Promise.all(
      drafts.map(({ id }) => patch(admin, id, { published: true })),
    );
    expect(answers.filter(({ slug }) => slug === 'both')).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'slug_taken')).toHaveLength(1);
  });

  it('returns 409 for unpublishing a post whose slug is taken by a draft', async () => {
    const published = await post(admin, 'twice', { published: true });
    await post(admin, 'twice');
    expect(await patch(admin, published.id, { published: false })).toMatchObject(TAKEN);
  });
});
