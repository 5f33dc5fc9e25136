import { env } from 'cloudflare:test';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import type { V1Link } from '#contract/v1/v1.ts';
import type { V1History } from '#contract/v1/v1-history.ts';
import type { Problem } from '#contract/v1/v1-problem.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const create = async (holder: KeyHolder, json: unknown): Promise<V1Link> => {
  const response = await send(holder, 'POST /links', { json });
  expect(response.status).toBe(201);
  return response.json();
};

describe('PATCH and DELETE /api/v1/links/:id', () => {
  it('[T23] PATCH and DELETE change and delete own links only', async () => {
    const [holder, other] = [await makeKey(), await makeKey()];
    const link = await create(holder, { url: 'https://example.com/before' });
    for (const id of [link.id, '0', 'abc', '999999999', '1e3'])
      for (const route of [`GET /links/${id}`, `DELETE /links/${id}`])
        expect((await send(other, route)).status, id).toBe(404);
    expect(
      (await send(other, `PATCH /links/${link.id}`, { json: { enabled: false } })).status,
    ).toBe(404);
    const patched = await send(holder, `PATCH /links/${link.id}`, {
      json: { url: 'https://example.com/after' },
    });
    expect(await patched.json()).toMatchObject({
      ...link,
      url: 'https://example.com/after',
      updatedAt: expect.any(String),
    });
    expect((await call(`/${link.code}`)).headers.get('Location')).toBe('https://example.com/after');
    expect((await send(holder, `PATCH /links/${link.id}`, { json: {} })).status).toBe(400);
    expect((await send(holder, `DELETE /links/${link.id}`)).status).toBe(204);
    expect((await send(holder, `GET /links/${link.id}`)).status).toBe(404);
    expect((await call(`/${link.code}`)).status).toBe(410);
  });

  it('sets, changes and removes an externalId, and rejects the one of another link', async () => {
    const holder = await makeKey();
    const make = async (json: object): Promise<V1Link> =>
      (await send(holder, 'POST /links', { json })).json();
    const link = await make({ url: 'https://example.com/1' });
    const other = await make({ url: 'https://example.com/2', externalId: 'taken' });
    const patch = async (externalId: string | null) => {
      const response = await send(holder, `PATCH /links/${link.id}`, { json: { externalId } });
      return response.ok
        ? (await response.json<V1Link>()).externalId
        : (await response.json<Problem>()).code;
    };
    expect(await patch('mine')).toBe('mine');
    expect(await patch('taken')).toBe('external_id_taken');
    expect((await send(holder, `DELETE /links/${other.id}`)).status).toBe(204);
    expect(await patch('taken')).toBe('taken');
    expect(
      (await send(holder, 'PUT /links/by-external-id/taken', { json: { url: link.url } })).status,
    ).toBe(200);
    expect(await patch(null)).toBeNull();
    expect(
      (await send(holder, `PATCH /links/${link.id}`, { json: { externalId: '' } })).status,
    ).toBe(400);
    const rivals = await Promise.all(
      [await make({ url: link.url }), await make({ url: link.url })].map(({ id }) =>
        send(holder, `PATCH /links/${id}`, { json: { externalId: 'race' } }),
      ),
    );
    expect(rivals.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('null clears a title, a note and an end date, and sets nothing for a new link', async () => {
    const holder = await makeKey();
    const none = { title: null, note: null, expiresAt: null };
    const link = await create(holder, { url: 'https://example.com/', ...none });
    expect(link).toMatchObject({ title: '', note: '', expiresAt: null });
    const given = { title: 'T', note: 'N', expiresAt: '2099-01-01T00:00:00.000Z' };
    const patch = async (json: object) =>
      (await send(holder, `PATCH /links/${link.id}`, { json })).json();
    expect(await patch(given)).toMatchObject(given);
    expect(await patch(none)).toMatchObject({ title: '', note: '', expiresAt: null });
    const creator = await makeKey({ scopes: ['links:create'] });
    const json = { url: 'https://example.com/', note: null };
    expect((await send(creator, 'POST /links', { json })).status).toBe(201);
  });

  it('a change of nothing but the password sets it, and null removes it', async () => {
    const holder = await makeKey();
    const { id } = await create(holder, { url: 'https://example.com/' });
    for (const password of ['open sesame', null])
      expect(
        await (await send(holder, `PATCH /links/${id}`, { json: { password } })).json(),
      ).toMatchObject({ hasPassword: password !== null });
  });

  it('the audit log records which key changed or deleted a link, once an hour', async () => {
    const holder = await makeKey({ name: 'Zapier' });
    const created = await send(holder, 'POST /links', {
      json: { url: 'https://example.com/private-target' },
    });
    const { id, code } = await created.json<V1Link>();
    for (const enabled of [false, true, false])
      await send(holder, `PATCH /links/${id}`, { json: { enabled } });
    await call(`/api/links/${code}`, {
      method: 'PATCH',
      json: { enabled: true },
      headers: holder.person.headers,
    });
    await send(holder, `DELETE /links/${id}`);
    const log = env.DB.prepare(
      'SELECT action, admin_id, after FROM admin_log WHERE subject = ?1 ORDER BY id',
    );
    const { results } = await log.bind(`link:${code}`).all();
    expect(results).toEqual([
      {
        action: 'change_link',
        admin_id: holder.person.id,
        after: '{"key":"Zapier","changed":["enabled"]}',
      },
      { action: 'delete_link', admin_id: holder.person.id, after: '{"key":"Zapier"}' },
    ]);
  });

  it('the audit log has an entry for each key and each hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const start = Date.now();
    const person = await makePerson({ plan: 'premium' });
    const keys = [await makeKey({ person, name: 'A' }), await makeKey({ person, name: 'B' })];
    const { id, code } = await create(await makeKey({ person }), { url: 'https://example.com/' });
    const changeAt = async (ms: number) => {
      vi.setSystemTime(start + ms);
      for (const key of keys)
        expect(
          (
            await send(key, `PATCH /links/${id}`, {
              json: { url: `https://example.com/${key.key.name}/${ms}` },
            })
          ).status,
        ).toBe(200);
      return (
        await env.DB.prepare('SELECT after FROM admin_log WHERE subject = ?1 ORDER BY id')
          .bind(`link:${code}`)
          .all<{ after: string }>()
      ).results.map(({ after }) => JSON.parse(after).key);
    };
    expect(await changeAt(1)).toEqual(['A', 'B']);
    expect(await changeAt(HOUR_MS)).toEqual(['A', 'B']);
    expect(await changeAt(HOUR_MS + 1)).toEqual(['A', 'B', 'A', 'B']);
  });
});

describe('GET /api/v1/links/:id/history', () => {
  it('the history has each change with the state before and after it, the latest first', async () => {
    const holder = await makeKey({ name: 'CI' });
    const { id, code } = await create(holder, { url: 'https://example.com/1', code: 'ci-history' });
    const read = async (key = holder): Promise<V1History['data']> =>
      (await (await send(key, `GET /links/${id}/history`)).json<V1History>()).data;
    expect(await read()).toEqual([]);
    const end = '2099-01-01T00:00:00.000Z';
    await send(holder, `PATCH /links/${id}`, {
      json: { url: 'https://example.com/2', expiresAt: end },
    });
    await scheduler.wait(2);
    const json = { enabled: false, tags: ['x'] };
    const { headers } = holder.person;
    await call(`/api/links/${code}`, { method: 'PATCH', json, headers });
    const [last, first] = await read();
    const state = {
      code,
      domain: '',
      url: 'https://example.com/1',
      status: 'active',
      expiresAt: null,
      title: '',
      note: '',
      archived: false,
      startsAt: null,
      fallbackUrl: '',
      redirectStatus: 302,
      rules: [],
      variants: [],
      forwardParams: 'none',
      watch: 'off',
      watchFallback: '',
      hasPassword: false,
      clickLimit: null,
      clickLimitOpen: false,
      cardUpdatedAt: null,
      tags: [],
    };
    const changed = { ...state, url: 'https://example.com/2', expiresAt: end };
    expect(first).toEqual({
      at: expect.any(String),
      keyName: 'CI',
      byWatcher: false,
      passwordReplaced: false,
      before: state,
      after: changed,
    });
    expect(last).toMatchObject({ keyName: null, before: changed });
    expect(last?.after).toEqual({ ...changed, status: 'disabled', tags: ['x'] });
    const prefixed = await makeKey({ person: holder.person, codePrefix: 'ci-' });
    expect((await read(prefixed)).map(({ keyName }) => keyName)).toEqual([null, null]);
  });
});

describe('the QR code of a link', () => {
  it('the QR code of a link is an SVG or a PNG image', async () => {
    const holder = await makeKey();
    const { id } = await create(holder, { url: 'https://example.com' });
    const response = await send(holder, `GET /links/${id}/qr.svg`);
    expect(response.headers.get('Content-Type')).toContain('image/svg+xml');
    expect(await response.text()).toMatch(/^<svg .*<\/svg>$/);
    const png = await send(holder, `GET /links/${id}/qr.png?size=200`);
    expect(png.headers.get('Content-Type')).toBe('image/png');
    const view = new DataView(await png.arrayBuffer());
    expect([view.getUint32(0), view.getUint32(16), view.getUint32(20)]).toEqual([
      0x89504e47, 200, 200,
    ]);
    for (const size of ['127', '2049', '200.5', 'x', ''])
      expect((await send(holder, `GET /links/${id}/qr.png?size=${size}`)).status, size).toBe(400);
  });
});
