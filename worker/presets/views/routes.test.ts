import { describe, expect, it } from 'vitest';
import { VIEWS_MAX } from '#contract/limits.ts';
import type { LinkView, ViewsResponse } from '#contract/presets/views.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const list = async ({ headers }: Person): Promise<LinkView[]> =>
  (await (await call('/api/views', { headers })).json<ViewsResponse>()).views;
const save = ({ headers }: Person, name: string, filters: object): Promise<Response> =>
  call('/api/views', { json: { name, filters }, headers });
const remove = ({ headers }: Person, id: number): Promise<Response> =>
  call(`/api/views/${id}`, { method: 'DELETE', headers });

describe('views', () => {
  it('views are saved, replaced by name, listed by name and deleted', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const made = await save(me, ' Launch   links ', {
      tag: 'launch',
      sort: '-clicks',
      from: '2026-01-31',
      other: 'x',
    });
    expect(made.status).toBe(201);
    const view = await made.json<LinkView>();
    expect(view).toMatchObject({
      name: 'Launch links',
      filters: { tag: 'launch', sort: '-clicks', from: '2026-01-31' },
    });
    expect(view.filters).not.toHaveProperty('other');
    await save(me, 'Archive', { status: 'archived' });
    expect(await (await save(me, 'LAUNCH links', { q: 'ü' })).json()).toEqual({
      id: view.id,
      name: 'LAUNCH links',
      filters: { q: 'ü' },
    });
    expect((await list(me)).map(({ name, filters }) => [name, filters])).toEqual([
      ['Archive', { status: 'archived' }],
      ['LAUNCH links', { q: 'ü' }],
    ]);
    expect(await list(other)).toEqual([]);
    expect((await remove(other, view.id)).status).toBe(404);
    expect((await remove(me, view.id)).status).toBe(200);
    expect(await list(me)).toHaveLength(1);
  });

  it('views are limited, and need a name and filters that the list accepts', async () => {
    const me = await makePerson();
    for (const [name, filters] of [
      [' ', {}],
      ['x'.repeat(51), {}],
      ['x', { status: 'unknown' }],
      ['x', { from: 'yesterday' }],
      ['x', { min_clicks: '-1' }],
    ] as const)
      expect((await save(me, name, filters)).status, name + JSON.stringify(filters)).toBe(400);
    for (let n = 0; n < VIEWS_MAX; n += 1)
      expect((await save(me, `View ${n}`, {})).status).toBe(201);
    expect(await (await save(me, 'One more', {})).json()).toMatchObject({
      code: 'conflict',
      field: 'name',
    });
    expect((await save(me, 'view 0', { favorite: '1' })).status).toBe(201);
  });
});
