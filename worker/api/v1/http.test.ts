import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { V1Link } from '#contract/v1/v1.ts';
import type { Problem } from '#contract/v1/v1-problem.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson } from '#worker/testing/make.ts';
import { numberOf } from '#worker/testing/link-ids.ts';

const url = 'https://example.com/e';

async function make(holder: KeyHolder, more: object = {}) {
  const response = await send(holder, 'POST /links', { json: { url, ...more } });
  const { id, code } = await response.json<V1Link>();
  return { id, code, etag: response.headers.get('ETag') ?? '' };
}
const patch = (holder: KeyHolder, id: string, ifMatch: string, json: object) =>
  send(holder, `PATCH /links/${id}`, { json, headers: { 'If-Match': ifMatch } });
const read = (holder: KeyHolder, path: string, known = '') =>
  send(holder, `GET ${path}`, { headers: { 'If-None-Match': known } });

describe('ETag', () => {
  it('every answer with a link has its ETag, and a known one is answered 304', async () => {
    const holder = await makeKey();
    const { id, code, etag } = await make(holder, { externalId: 'e1' });
    for (const path of [`/links/${id}`, `/links/by-code/${code}`, '/links/by-external-id/e1']) {
      const whole = await read(holder, path, '"other"');
      expect([whole.status, whole.headers.get('ETag')], path).toEqual([200, etag]);
      for (const known of [etag, `"a", W/${etag}`, '*']) {
        const same = await read(holder, path, known);
        expect([same.status, same.headers.get('ETag'), await same.text()]).toEqual([304, etag, '']);
      }
    }
    const changed = await send(holder, `PATCH /links/${id}`, { json: { title: 'New' } });
    const next = changed.headers.get('ETag');
    expect(next).not.toBe(etag);
    expect((await read(holder, `/links/${id}`, etag)).headers.get('ETag')).toBe(next);
  });

  it('If-Match accepts a change only of the link as it was read', async () => {
    const holder = await makeKey();
    const { id, etag } = await make(holder);
    expect((await patch(holder, id, etag, { title: 'First' })).status).toBe(200);
    for (const json of [
      { title: 'Second' },
      { url: 'https://example.com/2' },
      { title: 'First' },
      // It would change nothing, so nothing is written.
      { url },
    ]) {
      const late = await patch(holder, id, etag, json);
      expect([late.status, (await late.json<Problem>()).code]).toEqual([
        412,
        'precondition_failed',
      ]);
    }
    const headers = { 'If-Match': etag };
    expect((await send(holder, `DELETE /links/${id}`, { headers })).status).toBe(412);
    const now = (await read(holder, `/links/${id}`)).headers.get('ETag') ?? '';
    expect((await patch(holder, id, `W/${now}`, { note: 'weak' })).status).toBe(412);
    expect((await patch(holder, id, `"x", ${now}`, { note: 'one of two' })).status).toBe(200);
    const any = { headers: { 'If-Match': '*' } };
    expect((await send(holder, `DELETE /links/${id}`, any)).status).toBe(204);
  });

  it('of changes at once with one ETag exactly one is written', async () => {
    const holder = await makeKey();
    const { id, etag } = await make(holder);
    const edits = [{ title: 'a' }, { note: 'b' }, { tags: ['c'] }, { url: `${url}d` }];
    const all = await Promise.all(edits.map((json) => patch(holder, id, etag, json)));
    const written = all.filter(({ status }) => status === 200);
    const late = all.filter(({ status }) => status === 412);
    expect([written.length, late.length]).toEqual([1, 3]);
  });

  it('a click changes the ETag but rules out no change', async () => {
    const holder = await makeKey();
    const { id, etag } = await make(holder);
    await foldWindows(env.DB, [makeWindow([makeClick(await numberOf(id))])], Date.now());
    const clicked = await read(holder, `/links/${id}`, etag);
    expect([clicked.status, await clicked.json()]).toMatchObject([200, { clicks: 1 }]);
    expect((await patch(holder, id, etag, { title: 'still' })).status).toBe(200);
  });

  it('an upsert respects If-None-Match and If-Match', async () => {
    const holder = await makeKey();
    const put = (headers: Record<string, string>, json: object = { url }) =>
      send(holder, 'PUT /links/by-external-id/up', { json, headers });
    expect((await put({ 'If-Match': '*' })).status).toBe(412);
    const created = await put({ 'If-None-Match': '*' });
    expect(created.status).toBe(201);
    expect((await put({ 'If-None-Match': '*' })).status).toBe(412);
    const headers = { 'If-Match': created.headers.get('ETag') ?? '' };
    expect((await put(headers, { url, title: 'a' })).status).toBe(200);
    expect((await put(headers, { url, title: 'b' })).status).toBe(412);
  });
});

describe('headers', () => {
  it('the name of the scheme is read without case', async () => {
    const { key } = await makeKey();
    for (const scheme of ['bearer', 'BEARER', 'Bearer '])
      expect(
        (await call('/api/v1/me', { headers: { Authorization: `${scheme} ${key.key}` } })).status,
      ).toBe(200);
  });

  it('OPTIONS says which methods and patches an address supports', async () => {
    const options = async (path: string) => {
      const { status, headers } = await call(`/api/v1${path}`, { method: 'OPTIONS' });
      return [status, headers.get('Allow'), headers.get('Accept-Patch')];
    };
    const types = 'application/json, application/merge-patch+json';
    expect(await options('/links/7')).toEqual([204, 'GET, HEAD, PATCH, DELETE, OPTIONS', types]);
    expect(await options('/links')).toEqual([204, 'POST, GET, HEAD, OPTIONS', null]);
  });

  it('PATCH takes application/merge-patch+json, and says so', async () => {
    const holder = await makeKey();
    const { id } = await make(holder);
    const send7396 = (method: string, path: string, type: string) =>
      send(holder, `${method} ${path}`, {
        body: JSON.stringify({ url, title: 'Merged' }),
        headers: { 'Content-Type': type },
      });
    const type = 'application/merge-patch+json';
    expect((await send7396('PATCH', `/links/${id}`, type)).status).toBe(200);
    expect((await send7396('POST', '/links', type)).status).toBe(415);
    const wrong = await send7396('PATCH', `/links/${id}`, 'text/plain');
    expect([wrong.status, wrong.headers.get('Accept-Patch')]).toEqual([
      415,
      `application/json, ${type}`,
    ]);
  });

  it('a used-up quota says when to try again', async () => {
    for (const plan of ['free', 'premium'] as const) {
      const holder = await makeKey({ person: await makePerson({ plan, usage: 1000 }) });
      const response = await send(holder, 'POST /links', { json: { url } });
      const { quota } = await (
        await send(holder, 'GET /me')
      ).json<{ quota: { resetsAt: string } }>();
      expect([response.status, (await response.json<Problem>()).code]).toEqual([
        429,
        'quota_reached',
      ]);
      const wait = (Date.parse(quota.resetsAt) - Date.now()) / 1000;
      expect(Math.abs(Number(response.headers.get('Retry-After')) - wait)).toBeLessThan(30);
    }
  });
});

describe('limits and times in a query', () => {
  it.each([
    ['/links?limit=0', 'limit must be a whole number from 1 to 100.'],
    ['/links?limit=101', 'limit must be a whole number from 1 to 100.'],
    ['/links?limit=1e1', 'limit must be a whole number from 1 to 100.'],
    ['/links?limit=', 'limit must be a whole number from 1 to 100.'],
    ['/links?minClicks=', 'minClicks must be a whole number of at least 0.'],
    ['/links?maxClicks=0x2', 'maxClicks must be a whole number of at least 0.'],
    ['/links?createdAfter=2026-01-01T00:00:00+02:00', 'Encode its plus sign as %2B.'],
    ['/links?createdAfter=2026-01-01t00:00:00z', 'a time like 2027-01-31T12:00:00Z.'],
  ])('%s is rejected with what it may be', async (path, text) => {
    const response = await send(await makeKey(), `GET ${path}`);
    const { errors = [] } = await response.json<Problem>();
    expect([response.status, errors.map(({ detail }) => detail)]).toEqual([
      400,
      [expect.stringContaining(text)],
    ]);
  });
});
