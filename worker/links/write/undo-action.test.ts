import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type {
  LinkActionLine,
  LinkActionRequest,
  UndoAction,
} from '#contract/links/link-actions.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { storeLink } from '#worker/testing/stored-links.ts';

const END = Date.now() + 86_400_000;

async function make(person: Person): Promise<number> {
  const { id } = await storeLink();
  await env.DB.prepare('UPDATE links SET user_id = ?1 WHERE id = ?2').bind(person.id, id).run();
  return id;
}
/** Runs an action, and returns how to undo it for each link. */
async function act(
  person: Person,
  request: Partial<LinkActionRequest>,
): Promise<(UndoAction | null)[]> {
  const response = await call('/api/links/actions', { json: request, headers: person.headers });
  expect(response.status).toBe(200);
  const { lines } = await response.json<{ lines: LinkActionLine[] }>();
  return lines.map((line) => {
    if (!line.ok) throw new Error(line.error);
    return line.undo;
  });
}
const stateOf = (id: number) =>
  env.DB.prepare(
    `SELECT status, archived, favorite, expires_at, watch, (SELECT group_concat(name, ',' ORDER BY name)
      FROM link_tags JOIN tags ON tags.id = tag_id WHERE link_id = links.id) AS tags
      FROM links WHERE id = ?1`,
  )
    .bind(id)
    .first();

describe('undoing an action on links', () => {
  it.each<Partial<LinkActionRequest>>([
    { action: 'archive' },
    { action: 'favorite' },
    { action: 'disable' },
    { action: 'set_end', expiresAt: END + 1 },
    { action: 'set_watch', watch: 'on' },
    { action: 'add_tags', tags: ['one', 'two'] },
    { action: 'remove_tags', tags: ['one', 'two'] },
    { action: 'delete' },
  ])('$action is undone for exactly the links that it changed', async (request) => {
    const me = await makePerson();
    const [plain, wanted] = [await make(me), await make(me)];
    if (request.action !== 'delete') await act(me, { ...request, ids: [wanted] });
    await act(me, { ids: [plain], action: 'add_tags', tags: ['one'] });
    const before = [await stateOf(plain), await stateOf(wanted)];
    const undo = await act(me, { ...request, ids: [plain, wanted] });
    if (request.action !== 'delete') expect(undo[1]).toBeNull();
    for (const [index, id] of [plain, wanted].entries()) {
      const action = undo[index];
      if (action != null) await act(me, { ids: [id], ...action });
    }
    expect([await stateOf(plain), await stateOf(wanted)]).toEqual(before);
  });

  it('names only the tags that a link did not have', async () => {
    const me = await makePerson();
    const ids = [await make(me), await make(me), await make(me)];
    await act(me, { ids: ids.slice(0, 1), action: 'add_tags', tags: ['one'] });
    await act(me, { ids: ids.slice(1, 2), action: 'add_tags', tags: ['one', 'two'] });
    expect(await act(me, { ids, action: 'add_tags', tags: ['ONE', 'two'] })).toEqual([
      { action: 'remove_tags', tags: ['two'] },
      null,
      { action: 'remove_tags', tags: ['one', 'two'] },
    ]);
  });

  it('returns the end date before, also none', async () => {
    const me = await makePerson();
    const ids = [await make(me), await make(me)];
    await act(me, { ids: ids.slice(0, 1), action: 'set_end', expiresAt: END });
    expect(await act(me, { ids, action: 'set_end', expiresAt: END + 5 })).toEqual([
      { action: 'set_end', expiresAt: END },
      { action: 'set_end', expiresAt: null },
    ]);
  });

  it('names links by their ids, and no link of somebody else', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const [mine, theirs] = [await make(me), await make(other)];
    const response = await call('/api/links/actions', {
      json: { ids: [theirs, mine], action: 'delete' },
      headers: me.headers,
    });
    expect(await response.json()).toMatchObject({
      lines: [
        { ok: false, code: '' },
        { ok: true, undo: { action: 'restore' } },
      ],
    });
    expect(await stateOf(theirs)).toMatchObject({ status: 'active' });
  });

  it('needs either ids or codes', async () => {
    const { headers } = await makePerson();
    for (const json of [{ action: 'archive' }, { action: 'archive', ids: [1], codes: ['a'] }])
      expect((await call('/api/links/actions', { json, headers })).status).toBe(400);
  });
});
