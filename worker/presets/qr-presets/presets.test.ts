import { describe, expect, it } from 'vitest';
import { PLAIN_QR, type QrPreset, type QrPresetsResponse } from '#contract/presets/qr-presets.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const api = (person: Person, route: string, json?: unknown): Promise<Response> => {
  const [method = '', path = ''] = route.split(' ');
  return call(`/api/qr-presets${path}`, {
    method,
    ...(json === undefined ? {} : { json }),
    headers: person.headers,
  });
};
const list = async (person: Person): Promise<QrPreset[]> =>
  (await (await api(person, 'GET ')).json<QrPresetsResponse>()).presets;
/** A `data:` URL that begins like a PNG image and has `bytes` bytes. */
const logoOf = (bytes: number): string =>
  `data:image/png;base64,${btoa(String.fromCharCode(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13) + 'x'.repeat(bytes - 12))}`;

describe('QR presets', () => {
  it('QR presets keep their logo, and only their owner changes or deletes them', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const style = { ...PLAIN_QR, modules: 'dots' as const, foreground: '#0a3d62' };
    const response = await api(me, 'POST ', {
      name: ' Brand  blue ',
      style,
      logo: logoOf(32 * 1024),
    });
    expect(response.status).toBe(201);
    const made = await response.json<QrPreset>();
    expect(made).toEqual({
      id: made.id,
      name: 'Brand blue',
      style,
      logo: logoOf(32 * 1024),
      isDefault: false,
    });
    const second = await (
      await api(me, 'POST ', { name: 'Alpha', style: PLAIN_QR })
    ).json<QrPreset>();
    const repeated = await api(me, 'POST ', { name: 'BRAND BLUE', style });
    expect(await repeated.json()).toMatchObject({
      error: expect.stringContaining('another preset with this name'),
    });
    expect((await api(me, `PATCH /${second.id}`, { name: 'brand blue' })).status).toBe(409);
    for (const [route, json] of [
      [`PATCH /${made.id}`, { isDefault: true }],
      [`DELETE /${made.id}`, undefined],
    ] as const)
      expect((await api(other, route, json)).status, route).toBe(404);
    expect(await list(other)).toEqual([]);

    await api(me, `PATCH /${made.id}`, { isDefault: true });
    await api(me, `PATCH /${second.id}`, { isDefault: true });
    const changed = await api(me, `PATCH /${made.id}`, { style: PLAIN_QR, logo: '' });
    expect(await changed.json()).toEqual({ ...made, style: PLAIN_QR, logo: '' });
    expect((await list(me)).map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['Alpha', true],
      ['Brand blue', false],
    ]);
    await api(me, `PATCH /${second.id}`, { isDefault: false });
    expect((await list(me)).some(({ isDefault }) => isDefault)).toBe(false);
    expect((await api(me, `DELETE /${made.id}`)).status).toBe(200);
    expect((await list(me)).map(({ id }) => id)).toEqual([second.id]);
  });

  it('a new default replaces the one of the same member only', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const make = async (person: Person, name: string) => {
      const made = await api(person, 'POST ', { name, style: PLAIN_QR });
      const { id } = await made.json<QrPreset>();
      expect((await api(person, `PATCH /${id}`, { isDefault: true })).status).toBe(200);
      return id;
    };
    const defaultsOf = async (person: Person) =>
      (await list(person)).flatMap(({ id, isDefault }) => (isDefault ? [id] : []));
    const theirs = await make(other, 'Theirs');
    const [first, second] = [await make(me, 'First'), await make(me, 'Second')];
    expect([await defaultsOf(me), await defaultsOf(other)]).toEqual([[second], [theirs]]);
    expect((await api(me, `PATCH /${first}`, { isDefault: false })).status).toBe(200);
    expect(await defaultsOf(me)).toEqual([second]);
    expect((await api(me, `PATCH /${second}`, { isDefault: false })).status).toBe(200);
    expect(await defaultsOf(me)).toEqual([]);
  });

  it('a change that fails keeps the default', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const make = async (person: Person, name: string) =>
      (await api(person, 'POST ', { name, style: PLAIN_QR })).json<QrPreset>();
    const [first, second] = [await make(me, 'First'), await make(me, 'Second')];
    const theirs = await make(other, 'Theirs');
    await api(me, `PATCH /${first.id}`, { isDefault: true });
    for (const [id, status] of [
      [second.id, 409],
      [theirs.id, 404],
      [theirs.id + 1, 404],
    ] as const)
      expect((await api(me, `PATCH /${id}`, { name: 'First', isDefault: true })).status).toBe(
        status,
      );
    expect((await list(me)).map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['First', true],
      ['Second', false],
    ]);
  });

  it('an account has at most 20 QR presets', async () => {
    const me = await makePerson();
    for (let i = 0; i < 20; i += 1)
      expect((await api(me, 'POST ', { name: `Preset ${i}`, style: PLAIN_QR })).status).toBe(201);
    const refused = await api(me, 'POST ', { name: 'One more', style: PLAIN_QR });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      error: expect.stringContaining('as many presets'),
    });
    expect(await list(me)).toHaveLength(20);
  });

  it('[T45] QR presets reject logos other than small PNG images, and impossible values', async () => {
    const me = await makePerson();
    for (const [name, change] of [
      ['svg', { logo: `data:image/svg+xml;base64,${btoa('<svg onload="alert(1)"/>')}` }],
      ['address', { logo: 'https://example.com/logo.png' }],
      ['not base64', { logo: `${logoOf(100)}"/>` }],
      ['too large', { logo: logoOf(33 * 1024) }],
      ['no PNG', { logo: `data:image/png;base64,${btoa('<svg onload="alert(1)"/>')}` }],
      ['color', { style: { ...PLAIN_QR, foreground: 'red" onload="x' } }],
      ['margin', { style: { ...PLAIN_QR, margin: 11 } }],
      ['shape', { style: { ...PLAIN_QR, eyes: 'hexagon' } }],
      ['name', { name: 'a\u202Eb' }],
    ] as const) {
      const response = await api(me, 'POST ', { name: 'A name', style: PLAIN_QR, ...change });
      expect(response.status, name).toBe(400);
    }
    expect(await list(me)).toEqual([]);
  });
});
