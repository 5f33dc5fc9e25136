import { describe, expect, it } from 'vitest';
import { TAG_NAME_MAX } from '#contract/limits.ts';
import type { V1Link, V1LinkList } from '#contract/v1/v1.ts';
import type { V1TagList } from '#contract/v1/v1-tags.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';

const url = 'https://example.com/t';
const make = async (holder: KeyHolder, tags: string[]): Promise<V1Link> =>
  (await send(holder, 'POST /links', { json: { url, tags } })).json();
const list = async (holder: KeyHolder) =>
  (await (await send(holder, 'GET /tags')).json<V1TagList>()).data.map(
    ({ name, color, links }) => `${name} ${color} ${links}`,
  );
const status = async (holder: KeyHolder, route: string, json?: unknown) =>
  (await send(holder, route, json === undefined ? {} : { json })).status;

describe('tags of the public API', () => {
  it.each(['a\u200bb', 'a\u202eb', 'a\u0007b', 'a,b', '\ud800', '', 'a'.repeat(TAG_NAME_MAX + 1)])(
    'rejects the name %j, also of a tag that a link creates',
    async (name) => {
      const holder = await makeKey();
      expect(await status(holder, 'POST /tags', { name })).toBe(400);
      expect(await status(holder, 'POST /links', { url, tags: [name] })).toBe(400);
    },
  );

  it('lists tags with their links, creates, renames, merges and deletes them', async () => {
    const holder = await makeKey();
    await make(holder, ['old', 'x']);
    const { id } = await make(holder, ['Old']);
    const created = await send(holder, 'POST /tags', { json: { name: 'Café/1', color: 'red' } });
    expect([created.status, await created.json()]).toEqual([
      201,
      { name: 'Café/1', color: 'red', links: 0 },
    ]);
    expect(await list(holder)).toEqual(['Café/1 red 0', 'old gray 2', 'x blue 1']);
    const path = `/tags/${encodeURIComponent('café/1')}`;
    const renamed = await send(holder, `PATCH ${path}`, { json: { name: 'new' } });
    expect(await renamed.json()).toEqual({ name: 'new', color: 'red', links: 0 });
    const merged = await send(holder, 'POST /tags/OLD/merge', { json: { into: 'new' } });
    expect([merged.status, await merged.json()]).toEqual([
      200,
      { name: 'new', color: 'red', links: 2 },
    ]);
    await send(holder, `DELETE /links/${id}`);
    expect(await list(holder)).toEqual(['new red 1', 'x blue 1']);
    expect(await status(holder, 'DELETE /tags/x')).toBe(204);
    const { data } = await (await send(holder, 'GET /links')).json<V1LinkList>();
    expect(data.map(({ tags }) => tags)).toEqual([['new']]);
  });

  it('every name is there once, and belongs to its account', async () => {
    const [holder, other] = [await makeKey(), await makeKey()];
    await make(holder, ['a', 'b']);
    expect(await status(holder, 'POST /tags', { name: 'A' })).toBe(409);
    expect(await status(holder, 'PATCH /tags/a', { name: 'B' })).toBe(409);
    expect(await status(holder, 'POST /tags/a/merge', { into: 'a' })).toBe(404);
    for (const [route, json] of [
      ['PATCH /tags/a', { color: 'red' }],
      ['POST /tags/a/merge', { into: 'b' }],
      ['DELETE /tags/a', undefined],
    ] as const)
      expect(await status(other, route, json)).toBe(404);
    expect(await list(holder)).toEqual(['a gray 1', 'b blue 1']);
  });

  it('[T53] a key with a code prefix neither sees nor changes the tags of the account', async () => {
    const holder = await makeKey();
    await make(holder, ['secret']);
    const agency = await makeKey({ person: holder.person, codePrefix: 'ag-' });
    for (const [route, json] of [
      ['GET /tags', undefined],
      ['POST /tags', { name: 'secret' }],
      ['PATCH /tags/secret', { color: 'red' }],
      ['POST /tags/secret/merge', { into: 'secret' }],
      ['DELETE /tags/secret', undefined],
    ] as const)
      expect(await status(agency, route, json), route).toBe(403);
  });
});
