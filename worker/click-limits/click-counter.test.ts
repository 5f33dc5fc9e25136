import { env, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { ListedLink, ShortenResponse } from '#contract/links.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const PERSON = { headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' } };
const OVER = { CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '0' };

/** A link of a new member with a limit of one click. */
async function makeLimited() {
  const { headers } = await makePerson();
  const json = { longUrl: 'https://example.com/', clickLimit: 1 };
  const created = await call('/api/shorten', { json, headers });
  const { code } = await created.json<ShortenResponse>();
  const send = (method: string, path: string, body?: unknown) =>
    call(path, { method, headers, ...(body === undefined ? {} : { json: body }) });
  const limitId = () =>
    env.DB.prepare('SELECT limit_id FROM links WHERE code = ?')
      .bind(code)
      .first<string>('limit_id');
  return {
    code,
    send,
    limitId,
    follow: async () => (await call(`/${code}`, PERSON, OVER)).status,
    change: async (change: object) =>
      (await send('PATCH', `/api/links/${code}`, change)).json<ListedLink>(),
  };
}

it('a new number keeps the count, and a limit that is set again starts at 0', async () => {
  const { follow, change } = await makeLimited();
  expect([await follow(), await follow()]).toEqual([302, 410]);
  expect(await change({ clickLimit: 2 })).toMatchObject({ click_limit: 2 });
  expect([await follow(), await follow()]).toEqual([302, 410]);
  expect(await change({ clickLimit: null })).toMatchObject({ click_limit: null, limit_used: 0 });
  expect([await follow(), await follow()]).toEqual([302, 302]);
  expect(await change({ clickLimit: 1 })).toMatchObject({ click_limit: 1, limit_used: 0 });
  expect([await follow(), await follow()]).toEqual([302, 410]);
});

it('deleting a link for good deletes its count', async () => {
  const { code, send, follow, limitId } = await makeLimited();
  await follow();
  const object = env.CLICK_LIMITS.getByName((await limitId()) ?? '');
  const storedBy = () =>
    runInDurableObject(object, (_, { storage }) => [...storage.kv.list()].length);
  expect(await storedBy()).toBe(1);
  const { id } = await (await send('GET', `/api/links/${code}`)).json<ListedLink>();
  await send('DELETE', `/api/links/${code}`);
  expect(await storedBy()).toBe(1);
  await send('POST', '/api/links/purge', { ids: [id] });
  expect([await storedBy(), await limitId()]).toEqual([0, '']);
});
