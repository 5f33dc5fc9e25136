import { describe, expect, it } from 'vitest';
import type { Problem } from '#contract/v1/v1-problem.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';

const url = 'https://example.com/strict';

/** What a rejected request says about its parts, and the status. */
async function partsOf(holder: KeyHolder, route: string, json?: unknown) {
  const init = json === undefined ? {} : { json };
  const response = await send(holder, route, init);
  const { errors = [] } = await response.json<Problem>();
  return [
    response.status,
    ...errors.map(({ parameter, pointer, detail }) => [parameter ?? pointer, detail]),
  ];
}
/** Part of the sentence about an unknown name. */
const unknown = (place: string, advice: string) => [place, expect.stringContaining(advice)];

describe('unknown names', () => {
  it.each([
    ['GET /links?tags=old', 'tags', 'Did you mean `tag`?'],
    ['GET /links?tagNames=old', 'tagNames', 'Did you mean `tag`?'],
    ['GET /links?stauts=active', 'stauts', 'Did you mean `status`?'],
    ['GET /links?created_after=2026-01-01T00:00:00Z', 'created_after', '`createdAfter`'],
    ['GET /links?externalId=7', 'externalId', 'Known names: limit, cursor,'],
    ['GET /links?__proto__=7', '__proto__', 'Known names: limit, cursor,'],
    ['GET /analytics?country=DE', 'country', 'Known names: range.'],
    ['GET /links/1?expand=tags', 'expand', '`expand` is unknown here.'],
    ['GET /me?a=1', 'a', '`a` is unknown here.'],
    ['DELETE /links/1?dryRun=1', 'dryRun', '`dryRun` is unknown here.'],
  ])('rejects the unknown parameter of %s', async (route, name, advice) => {
    expect(await partsOf(await makeKey(), route)).toEqual([400, unknown(name, advice)]);
  });

  it.each([
    [{ url, expires_at: '2099-01-01T00:00:00Z' }, '/expires_at', 'Did you mean `expiresAt`?'],
    [{ url, tag: 'a' }, '/tag', 'Did you mean `tags`?'],
    [{ url, owner: 'x' }, '/owner', 'Known names: url, code,'],
    [{ url, 'a\nb': 1 }, '/a\nb', '`a\\nb` is unknown here.'],
  ])('rejects the unknown member of %j', async (json, pointer, advice) => {
    const holder = await makeKey();
    for (const route of ['POST /links', 'PUT /links/by-external-id/7'])
      expect(await partsOf(holder, route, json)).toEqual([400, unknown(pointer, advice)]);
    expect(await (await send(holder, 'GET /links')).json()).toMatchObject({ data: [] });
  });

  it('every unknown name is reported, beside other errors', async () => {
    const json = { url: 7, enable: false, Title: 'x' };
    expect(await partsOf(await makeKey(), 'POST /links', json)).toEqual([
      400,
      ['/url', 'url must be a string.'],
      unknown('/enable', 'Did you mean `enabled`?'),
      unknown('/Title', 'Did you mean `title`?'),
    ]);
  });
});

describe('repeated parameters', () => {
  it('a repeated parameter is an error that names it', async () => {
    const holder = await makeKey();
    const expected = [400, ['tag', 'The parameter `tag` may appear only once.']];
    expect(await partsOf(holder, 'GET /links?tag=a&limit=5&tag=b')).toEqual(expected);
    expect(await partsOf(holder, 'GET /links?tag=a&tag=a')).toEqual(expected);
  });
});

describe('POST /api/v1/links', () => {
  it('takes what PATCH takes', async () => {
    const holder = await makeKey();
    const json = { url, enabled: false, archived: true, favorite: true };
    const created = await send(holder, 'POST /links', { json });
    expect([created.status, await created.json()]).toMatchObject([
      201,
      { status: 'disabled', archived: true, favorite: true },
    ]);
    const again = { url, enabled: true };
    const upserted = await send(holder, 'PUT /links/by-external-id/9', { json });
    expect([upserted.status, await upserted.json()]).toMatchObject([201, { status: 'disabled' }]);
    expect(
      await (await send(holder, 'PUT /links/by-external-id/9', { json: again })).json(),
    ).toMatchObject({ status: 'active', archived: true });
  });
});
