import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { ListedLink, ShortenResponse } from '#contract/links/links.ts';
import { DAY_MS } from '#contract/time.ts';
import { deleteAccount } from '#worker/account/delete-account.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const PERSON = { headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' } };
const OVER = { CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '0' };

/** A link of a new member with a limit of one click. */
async function makeLimited() {
  const owner = await makePerson();
  const { headers } = owner;
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
    owner,
    object: async () => env.CLICK_LIMITS.getByName((await limitId()) ?? ''),
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

type Counter = ReturnType<typeof env.CLICK_LIMITS.getByName>;
const storedBy = (object: Counter) =>
  runInDurableObject(object, async (_, { storage }) => ({
    values: [...storage.kv.list()].length,
    looksAgain: ((await storage.getAlarm()) ?? 0) > Date.now() + 29 * DAY_MS,
  }));
const GONE = { values: 0, looksAgain: false };

it('deleting a link for good deletes its count', async () => {
  const { code, send, follow, limitId, object: find } = await makeLimited();
  await follow();
  const object = await find();
  expect(await storedBy(object)).toMatchObject({ values: 1 });
  const { id } = await (await send('GET', `/api/links/${code}`)).json<ListedLink>();
  await send('DELETE', `/api/links/${code}`);
  expect(await storedBy(object)).toMatchObject({ values: 1 });
  await send('POST', '/api/links/purge', { ids: [id] });
  expect([await storedBy(object), await limitId()]).toEqual([GONE, '']);
});

it('a count looks every 30 days whether its link still has the limit', async () => {
  const { follow, change, object: find } = await makeLimited();
  await follow();
  const object = await find();
  await runDurableObjectAlarm(object);
  expect(await storedBy(object)).toEqual({ values: 1, looksAgain: true });
  await change({ clickLimit: 5 });
  await runDurableObjectAlarm(object);
  expect(await storedBy(object)).toEqual({ values: 1, looksAgain: true });
  await change({ clickLimit: null });
  await runDurableObjectAlarm(object);
  expect(await storedBy(object)).toEqual(GONE);
});

it('a count outlives a row that a restore may bring back, but not the account', async () => {
  const { code, follow, object: find, owner } = await makeLimited();
  await follow();
  const object = await find();
  const rename = (to: number) =>
    env.DB.prepare('UPDATE links SET id = id + ? WHERE code = ?').bind(to, code).run();
  await rename(1_000_000);
  await runDurableObjectAlarm(object);
  await rename(-1_000_000);
  expect(await storedBy(object)).toEqual({ values: 1, looksAgain: true });
  const deletion = { user: owner, links: 'remove', label: 'x', secret: 's' } as const;
  await deleteAccount(openDb(env.DB), { ...deletion, now: Date.now() });
  await runDurableObjectAlarm(object);
  expect(await storedBy(object)).toEqual(GONE);
});
