import { expect, it } from 'vitest';
import type { V1History } from '#contract/v1/v1-history.ts';
import type { V1Link } from '#contract/v1/v1.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';

it('the same password changes nothing, another one ends what browsers remember', async () => {
  const holder = await makeKey();
  const json = { url: 'https://example.com/', password: 'one' };
  const created = await send(holder, 'POST /links', { json });
  const { id, code } = await created.json<V1Link>();
  const entered = await call(
    `/${code}`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'password=one',
    },
    { LINK_MEMORY_MS: '0' },
  );
  const [Cookie = ''] = (entered.headers.get('Set-Cookie') ?? '').split(';');
  const follow = async () =>
    (await call(`/${code}`, { headers: { Cookie } }, { LINK_MEMORY_MS: '0' })).status;
  const change = async (password: string | null) =>
    (await send(holder, `PATCH /links/${id}`, { json: { password } })).status;
  const history = async () =>
    (await (await send(holder, `GET /links/${id}/history`)).json<V1History>()).data.map(
      ({ before, after, passwordReplaced }) => [
        before.hasPassword,
        after.hasPassword,
        passwordReplaced,
      ],
    );
  expect(await follow()).toBe(302);
  expect(await change('one')).toBe(200);
  expect([await follow(), await history()]).toEqual([302, []]);
  expect(await change('two')).toBe(200);
  expect([await follow(), await history()]).toEqual([200, [[true, true, true]]]);
  expect(await change(null)).toBe(200);
  expect([await follow(), (await history())[0]]).toEqual([302, [true, false, false]]);
});
