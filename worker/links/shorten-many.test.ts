import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { BulkResponse } from '#contract/links.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { shortenMany } from './shorten-many.ts';

const bulk = (person: Person, longUrls: unknown): Promise<Response> =>
  call('/api/shorten/bulk', { json: { longUrls }, headers: person.headers });
const urls = (n: number): string[] => Array.from({ length: n }, (_, i) => `https://example.com/${i}`);
const made = (person: Person): Promise<number | null> =>
  env.DB.prepare('SELECT count(*) AS n FROM links WHERE user_id = ?1').bind(person.id).first<number>('n');
const usage = (person: Person): Promise<number | null> =>
  env.DB.prepare('SELECT current_usage AS n FROM subscriptions WHERE user_id = ?1').bind(person.id).first<number>('n');

test('100 targets become 100 links in their order, in D1, KV and the outbox', async () => {
  const person = await makePerson({ plan: 'premium', usage: 7 });
  const response = await bulk(person, urls(100));
  expect(response.status).toBe(201);
  const body = await response.json<BulkResponse>();
  expect(body).toMatchObject({ made: 100, usage: { current_usage: 107, monthly_limit: 1000 } });
  expect(body.lines.map((line) => line.longUrl)).toEqual(urls(100));
  for (const [i, line] of body.lines.entries()) {
    if (!line.ok) throw new Error(line.error);
    expect(line.shortUrl).toBe(`http://localhost:8787/${line.code}`);
    expect(await env.LINKS.get(line.code, 'json')).toMatchObject({ s: 'a', u: `https://example.com/${i}` });
  }
  const outbox = 'SELECT count(*) AS n FROM link_outbox JOIN links ON id = link_id WHERE user_id = ?1';
  expect(await env.DB.prepare(outbox).bind(person.id).first('n')).toBe(100);
});

test('refused lines say why, cost nothing and stop no other line', async () => {
  const person = await makePerson({ plan: 'premium' });
  await env.DB.prepare("INSERT INTO blocklist (kind, value, created_at) VALUES ('host', 'bad.example.org', 1)").run();
  const list = [
    'https://example.com/a',
    'javascript:alert(1)',
    'https://deep.bad.example.org/x',
    '',
    'example.com/a',
    'http://10.0.0.1',
  ];
  const body = await (await bulk(person, list)).json<BulkResponse>();
  expect(body.lines.map((line) => line.ok)).toEqual([true, false, false, false, true, false]);
  expect(body.lines.map((line) => line.longUrl)).toEqual(list);
  for (const line of body.lines) if (!line.ok) expect(line.error).toMatch(/\.$/);
  expect(body).toMatchObject({ made: 2, usage: { current_usage: 2 } });
  expect(await (await bulk(person, ['x:y'])).json()).toMatchObject({ made: 0, usage: null });
  expect([await made(person), await usage(person)]).toEqual([2, 2]);
});

test('all or none: a list that the quota does not hold makes nothing, also when two lists race', async () => {
  const person = await makePerson({ plan: 'premium', usage: 950 });
  const refused = await bulk(person, urls(51));
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({
    code: 'quota_reached',
    upgradeRequired: true,
    error: 'This list needs 51 links, and 50 are left this month',
  });
  expect([await made(person), await usage(person)]).toEqual([0, 950]);
  const both = await Promise.all([bulk(person, urls(30)), bulk(person, urls(30)), bulk(person, urls(30))]);
  expect(both.filter((response) => response.status === 201)).toHaveLength(1);
  expect(both.filter((response) => response.status === 429)).toHaveLength(2);
  expect([await made(person), await usage(person)]).toEqual([30, 980]);
  expect((await bulk(person, urls(20))).status).toBe(201);
});

test('a taken code makes the whole list anew', async () => {
  const person = await makePerson({ plan: 'premium' });
  const policy = { ownHosts: [], shorteners: new Set<string>() };
  let value = 0;
  const random = (codes: number) => (bytes: Uint8Array<ArrayBuffer>) => {
    bytes.fill(value++ % codes);
  };
  const many = (n: number, codes: number) => shortenMany(openDb(env.DB), urls(n), person.id, policy, Date.now(), random(codes));
  expect(await many(2, 60)).toMatchObject({ ok: true, lines: [{ code: '0000000' }, { code: '1111111' }] });
  value = 1;
  expect(await many(2, 60)).toMatchObject({ ok: true, lines: [{ code: '3333333' }, { code: '4444444' }] });
  expect(await many(2, 1)).toMatchObject({ ok: false, reason: 'no_free_code' });
  expect([await made(person), await usage(person)]).toEqual([4, 4]);
});

test('it is a part of Premium, and takes 1 to 100 links', async () => {
  const free = await makePerson();
  const refused = await bulk(free, urls(2));
  expect(refused.status).toBe(402);
  expect(await refused.json()).toMatchObject({ code: 'payment_required', error: 'Bulk processing is a part of Premium.' });
  const person = await makePerson({ plan: 'premium' });
  for (const list of [[], urls(101), 'https://example.com', [1], undefined])
    expect(await (await bulk(person, list)).json()).toMatchObject({
      code: 'invalid_body',
      field: expect.stringMatching(/^longUrls/),
    });
  expect([await made(free), await made(person)]).toEqual([0, 0]);
});
