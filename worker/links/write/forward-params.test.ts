import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { LinkHistory, ListedLink, ShortenResponse } from '#contract/links/links.ts';
import type { V1Link } from '#contract/v1/v1.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { newNetwork } from '#worker/testing/visitor.ts';

const create = async (person: Person, forwardParams: unknown): Promise<string> => {
  const json = { longUrl: 'https://example.com/p?a=1', forwardParams };
  const response = await call('/api/shorten', { json, headers: person.headers });
  expect(response.status).toBe(201);
  return (await response.json<ShortenResponse>()).code;
};
const change = (person: Person, code: string, json: unknown) =>
  call(`/api/links/${code}`, { method: 'PATCH', json, headers: person.headers });
const locationOf = async (code: string): Promise<string | null> => {
  const response = await call(`/${code}?ref=x&b=2&a=3`, {}, { LINK_MEMORY_MS: '0' });
  return response.headers.get('Location');
};

describe('forwarded parameters of a link', () => {
  it('forwarded parameters act from creation on, and after each change and reversal', async () => {
    const person = await makePerson();
    const code = await create(person, ['ref']);
    expect(await locationOf(code)).toBe('https://example.com/p?a=1&ref=x');
    const changed = await change(person, code, { forwardParams: 'all' });
    expect(await changed.json<ListedLink>()).toMatchObject({ forward_params: 'all' });
    expect(await locationOf(code)).toBe('https://example.com/p?a=1&ref=x&b=2');
    const history = await call(`/api/links/${code}/history`, { headers: person.headers });
    const [last] = (await history.json<LinkHistory>()).changes;
    expect([last?.before.forward_params, last?.after.forward_params]).toEqual([['ref'], 'all']);
    await change(person, code, { forwardParams: 'none' });
    expect(await locationOf(code)).toBe('https://example.com/p?a=1');
  });

  it('forwarded parameters are the same in the public API and in the export', async () => {
    const holder = await makeKey();
    const made = await send(holder, 'POST /links', {
      json: { url: 'https://example.com/p?a=1', forwardParams: 'all' },
    });
    const link = await made.json<V1Link>();
    expect(link.forwardParams).toBe('all');
    expect(await locationOf(link.code)).toBe('https://example.com/p?a=1&ref=x&b=2');
    const patched = await send(holder, `PATCH /links/${link.id}`, {
      json: { forwardParams: ['b', 'b'] },
    });
    expect((await patched.json<V1Link>()).forwardParams).toEqual(['b']);
    const exported = await call('/api/account/export', { headers: holder.person.headers });
    expect(await exported.json()).toMatchObject({
      links: [{ forward_params: ['b'], history: [{ forward_params: 'all' }] }],
    });
  });

  it('forwarded parameters need an account and fit limits, and `qr` is rejected', async () => {
    const person = await makePerson();
    const code = await create(person, []);
    const eleven = Array.from({ length: 11 }, (_, i) => `p${i}`);
    for (const forwardParams of [eleven, ['qr'], ['a,b'], ['*'], ['a b'], [''], 'some']) {
      const response = await change(person, code, { forwardParams });
      expect(response.status, String(forwardParams)).toBe(400);
      expect((await response.json<ErrorBody>()).error).toMatch(/parameter/i);
    }
    const json = { longUrl: 'https://example.com/', forwardParams: 'all' };
    expect(
      (await call('/api/shorten', { json, headers: { 'CF-Connecting-IP': newNetwork() } })).status,
    ).toBe(401);
  });
});
