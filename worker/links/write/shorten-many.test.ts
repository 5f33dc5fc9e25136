import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { BulkResponse } from '#contract/links/links.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { makeDraft } from '#worker/testing/link-drafts.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { indexAllWords } from '#worker/links/words/index-words.ts';
import { parseLinkDraft } from './link-draft.ts';
import { shortenMany } from './shorten-many.ts';

const bulk = (person: Person, longUrls: unknown, overrides: Partial<Env> = {}): Promise<Response> =>
  call('/api/shorten/bulk', { json: { longUrls }, headers: person.headers }, overrides);
const urls = (n: number): string[] =>
  Array.from({ length: n }, (_, i) => `https://example.com/${i}`);
const countLinks = (person: Person): Promise<number | null> =>
  env.DB.prepare('SELECT count(*) AS n FROM links WHERE user_id = ?1')
    .bind(person.id)
    .first<number>('n');
const usage = (person: Person): Promise<number | null> =>
  env.DB.prepare('SELECT current_usage AS n FROM subscriptions WHERE user_id = ?1')
    .bind(person.id)
    .first<number>('n');

const db = openDb(env.DB);

describe('POST /api/shorten/bulk', () => {
  it('creates 100 links in order, in D1 and KV, and leaves nothing to publish', async () => {
    const person = await makePerson({ plan: 'premium', usage: 7 });
    const counted = countRowsRead(env.DB);
    const response = await bulk(person, urls(100), { DB: counted.db });
    expect(response.status).toBe(201);
    const body = await response.json<BulkResponse>();
    expect(body).toMatchObject({ made: 100, usage: { current_usage: 107, monthly_limit: 1000 } });
    expect(body.lines.map((line) => line.longUrl)).toEqual(urls(100));
    for (const [i, line] of body.lines.entries()) {
      if (!line.ok) throw new Error(line.error);
      expect(line.shortUrl).toBe(`http://localhost:8787/${line.code}`);
      expect(await env.LINKS.get(line.code, 'json')).toMatchObject({
        s: 'a',
        u: `https://example.com/${i}`,
      });
    }
    // A row, nine of its indexes, four words and eight endings of words each.
    console.log(`rows written for 100 links: ${counted.rowsWritten()}`);
    expect(counted.rowsWritten()).toBeLessThan(100 * (1 + 9 + 4 + 8) + 20);
    const words = await env.DB.prepare('SELECT words FROM links WHERE user_id = ?1 ORDER BY id')
      .bind(person.id)
      .first('words');
    expect(words).toMatch(/^ \w{7} example com 0( \w{3,6}){8}$/);
    expect(await indexAllWords(env, Date.now())).toMatchObject({ done: { links_indexed: 0 } });
    const outbox =
      'SELECT count(*) AS n FROM link_outbox JOIN links ON id = link_id WHERE user_id = ?1';
    expect(await env.DB.prepare(outbox).bind(person.id).first('n')).toBe(0);
  });

  it('reports invalid lines with a reason, at no cost, and creates the others', async () => {
    const person = await makePerson({ plan: 'premium' });
    await env.DB.prepare(
      "INSERT INTO blocklist (kind, value, created_at) VALUES ('host', 'bad.example.org', 1)",
    ).run();
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
    for (const nothing of [['x:y'], ['https://deep.bad.example.org/x']])
      expect(await (await bulk(person, nothing)).json()).toMatchObject({ made: 0, usage: null });
    expect([await countLinks(person), await usage(person)]).toEqual([2, 2]);
  });

  it('[T25] creates all links or none, even when lists race for the quota', async () => {
    const person = await makePerson({ plan: 'premium', usage: 950 });
    const response = await bulk(person, urls(51));
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({
      code: 'quota_reached',
      error: expect.stringContaining('This list needs 51 links, and you have 50 left this month.'),
    });
    expect([await countLinks(person), await usage(person)]).toEqual([0, 950]);
    const all = await Promise.all([
      bulk(person, urls(30)),
      bulk(person, urls(30)),
      bulk(person, urls(30)),
    ]);
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(2);
    expect([await countLinks(person), await usage(person)]).toEqual([30, 980]);
    expect((await bulk(person, urls(20))).status).toBe(201);
  });

  it('a bulk request needs Premium and takes 1 to 100 links', async () => {
    const free = await makePerson();
    const response = await bulk(free, urls(2));
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({
      code: 'payment_required',
      error: 'Bulk processing is part of the Premium plan.',
    });
    const person = await makePerson({ plan: 'premium' });
    for (const list of [[], urls(101), 'https://example.com', [1], undefined])
      expect(await (await bulk(person, list)).json()).toMatchObject({
        code: 'invalid_body',
        field: expect.stringMatching(/^longUrls/),
      });
    expect([await countLinks(free), await countLinks(person)]).toEqual([0, 0]);
  });

  it('the first of two lines of a list gets the alias, in any case, or the external id', async () => {
    const person = await makePerson({ plan: 'premium' });
    const drafts = [
      { code: 'List-Alias', externalId: 'list-1' },
      { code: 'lIST-aLIAS', externalId: 'list-2' },
      { code: 'list-other', externalId: 'list-1' },
      { code: null, externalId: null },
    ].map((given, item) => ({ ok: true as const, item, draft: makeDraft(given) }));
    const result = await shortenMany(db, drafts, {
      creator: { userId: person.id },
      reputation: null,
      now: Date.now(),
      random: cryptoRandom,
      failure: 'list',
    });
    expect(result.ok && result.lines.map((line) => (line.ok ? line.code : line.reason))).toEqual([
      'List-Alias',
      'alias_taken',
      'external_id_taken',
      expect.stringMatching(/^\w{7}$/),
    ]);
    expect(await usage(person)).toBe(2);
  });

  it('[T27] lists count against the rate limit of the member', async () => {
    const person = await makePerson({ plan: 'premium' });
    const keys: unknown[] = [];
    const LIMIT_WRITES = {
      limit: async ({ key }: { key: string }) => {
        keys.push(key);
        return { success: false };
      },
    };
    expect((await bulk(person, urls(1), { LIMIT_WRITES })).status).toBe(429);
    expect(keys).toEqual([person.id]);
    expect(await countLinks(person)).toBe(0);
  });

  it('asks for the reputation of the targets later only where a service is configured', async () => {
    const person = await makePerson({ plan: 'premium' });
    const recheck = async (overrides: Partial<Env>) => {
      const { lines } = await (await bulk(person, urls(1), overrides)).json<BulkResponse>();
      const code = lines[0]?.ok === true ? lines[0].code : '';
      return env.DB.prepare('SELECT recheck_at, created_at FROM links WHERE code = ?1')
        .bind(code)
        .first();
    };
    const row = await recheck({ REPUTATION_DOH_URL: 'https://dns.example/' });
    expect(row?.['recheck_at']).toBe(row?.['created_at']);
    expect(await recheck({})).toMatchObject({ recheck_at: null });
  });
});

describe('shortenMany', () => {
  it('returns the usage after the last of several batches', async () => {
    const person = await makePerson({ plan: 'premium' });
    const drafts = Array.from({ length: 101 }, (_, item) => ({
      ok: true as const,
      item,
      draft: makeDraft(),
    }));
    const result = await shortenMany(db, drafts, {
      creator: { userId: person.id },
      reputation: null,
      now: Date.now(),
      random: cryptoRandom,
      failure: 'line',
    });
    expect(result).toMatchObject({ ok: true, usage: { current_usage: 101 } });
  });

  it('draws all codes again when one is taken, and gives up after five attempts', async () => {
    const person = await makePerson({ plan: 'premium' });
    const policy = { ownHosts: [], shorteners: new Set<string>() };
    const drafts = urls(2).map((longUrl, item) =>
      Object.assign(parseLinkDraft({ target: longUrl }, { isMember: true, policy, now: 0 }), {
        item,
      }),
    );
    let value = 0;
    const many = (codes: number) =>
      shortenMany(openDb(env.DB), drafts, {
        creator: { userId: person.id },
        reputation: null,
        now: Date.now(),
        random: (bytes) => void bytes.fill(value++ % codes),
        failure: 'list',
      });
    expect(await many(60)).toMatchObject({
      ok: true,
      lines: [{ code: '0000000' }, { code: '1111111' }],
    });
    value = 1;
    expect(await many(60)).toMatchObject({
      ok: true,
      lines: [{ code: '3333333' }, { code: '4444444' }],
    });
    value = 0;
    expect(await many(1)).toMatchObject({ ok: false, reason: 'no_free_codes' });
    expect(value).toBe(5 * drafts.length);
    expect([await countLinks(person), await usage(person)]).toEqual([4, 4]);
  });
});
