import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { LinkHistory } from '#contract/links.ts';
import { LINK_CHANGES_MAX } from '#contract/limits.ts';
import { openDb } from '#worker/db/client.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { changeLink } from './change-link.ts';

const create = async (person: Person): Promise<string> => {
  const response = await call('/api/shorten', { json: { longUrl: 'https://example.com/1' }, headers: person.headers });
  return (await response.json<{ code: string }>()).code;
};
const patch = async (person: Person, code: string, json: object): Promise<void> => {
  expect((await call(`/api/links/${code}`, { method: 'PATCH', json, headers: person.headers })).status).toBe(200);
  // Changes within one millisecond are one entry.
  await scheduler.wait(2);
};
const read = async (person: Person, code: string): Promise<LinkHistory['changes']> => {
  const response = await call(`/api/links/${code}/history`, { headers: person.headers });
  expect(response.status).toBe(200);
  return (await response.json<LinkHistory>()).changes;
};

describe('GET /api/links/:code/history', () => {
  it('has every change of the owner with the state before and after, and the key that made it', async () => {
    const me = await makePerson({ plan: 'premium' });
    const holder = await makeKey({ person: me, name: 'CI' });
    const code = await create(me);
    expect(await read(me, code)).toEqual([]);
    await patch(me, code, { longUrl: 'https://example.com/2', title: 'Two' });
    await patch(me, code, { tags: ['x'], favorite: true, title: 'Two' });
    await patch(me, code, { note: 'Why' });
    const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?1').bind(code).first<number>('id');
    await send(holder, `PATCH /links/${id}`, { json: { enabled: false } });
    const changes = await read(me, code);
    const same = { short_code: code, tags: ['x'], archived: false, expires_at: null, forward_params: 'none' };
    const last = { ...same, long_url: 'https://example.com/2', title: 'Two' };
    expect(changes).toEqual([
      {
        at: expect.any(String),
        key_name: 'CI',
        before: { ...last, note: 'Why', status: 'active' },
        after: { ...last, note: 'Why', status: 'disabled' },
      },
      {
        at: expect.any(String),
        key_name: '',
        before: { ...last, note: '', status: 'active' },
        after: { ...last, note: 'Why', status: 'active' },
      },
      {
        at: expect.any(String),
        key_name: '',
        before: { ...last, tags: [], note: '', status: 'active' },
        after: { ...last, note: '', status: 'active' },
      },
      {
        at: expect.any(String),
        key_name: '',
        before: { ...same, tags: [], long_url: 'https://example.com/1', title: '', note: '', status: 'active' },
        after: { ...last, tags: [], note: '', status: 'active' },
      },
    ]);
  });

  it('[T23] is for the owner only, and keeps the last changes', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const code = await create(me);
    expect((await call(`/api/links/${code}/history`, { headers: other.headers })).status).toBe(404);
    for (let n = 1; n <= LINK_CHANGES_MAX + 5; n += 1) {
      const edit = { details: { title: `n${n}` } };
      await changeLink(openDb(env.DB), {
        actor: { userId: me.id, keyName: null },
        ref: { code },
        edit,
        reputation: null,
        now: n,
      });
    }
    const changes = await read(me, code);
    expect(changes).toHaveLength(LINK_CHANGES_MAX);
    expect(changes.at(-1)?.before.title).toBe('n5');
  });
});

describe('the preview', () => {
  it('says when the destination last changed, not when anything else did', async () => {
    const me = await makePerson();
    const code = await create(me);
    const preview = async (): Promise<string> => (await call(`/${code}+`)).text();
    await patch(me, code, { title: 'A title' });
    expect(await preview()).not.toContain('Destination last changed');
    await patch(me, code, { longUrl: 'https://example.com/2' });
    expect(await preview()).toContain('Destination last changed');
    const response = await call(`/${code}+`, { headers: { Accept: 'application/json' } });
    expect((await response.json<{ destination_changed_at: string }>()).destination_changed_at).toMatch(/Z$/);
  });
});
