import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { VISITOR_LINKS_PER_DAY } from '#contract/limits.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import { inOneMinute } from '#worker/testing/minute.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { consumeDayAllowance } from '#worker/http/allowances.ts';
import { VISITOR_LINKS } from './link-allowance.ts';

let lastNetwork = 0;
/** Headers from a new network, so that no test is limited by another. */
const visitor = (): Record<string, string> => ({
  'CF-Connecting-IP': `198.51.${(lastNetwork += 1)}.7`,
});
const shorten = (
  json: unknown,
  headers: Record<string, string> = visitor(),
  overrides: Partial<Env> = {},
): Promise<Response> => call('/api/shorten', { json, headers }, overrides);
const countLinks = async (): Promise<number> =>
  (await env.DB.prepare('SELECT count(*) AS n FROM links').first<number>('n')) ?? -1;
const usageOf = (id: string): Promise<number | null> =>
  env.DB.prepare('SELECT current_usage FROM subscriptions WHERE user_id = ?1')
    .bind(id)
    .first<number>('current_usage');

describe('POST /api/shorten by a visitor', () => {
  it('creates a link in D1 and KV, and leaves nothing to publish', async () => {
    const response = await shorten({ longUrl: 'example.com/ä page?q=1#x' });
    expect(response.status).toBe(201);
    const body = await response.json<{
      shortUrl: string;
      code: string;
      longUrl: string;
      created_at: string;
    }>();
    expect(body.code).toMatch(/^[A-Za-z0-9]{7}$/);
    expect(body.shortUrl).toBe(`http://localhost:8787/${body.code}`);
    expect(body.longUrl).toBe('https://example.com/%C3%A4%20page?q=1#x');
    expect(body).not.toHaveProperty('usage');
    const row = await env.DB.prepare('SELECT * FROM links WHERE code = ?1').bind(body.code).first();
    expect(row).toMatchObject({
      released_at: null,
      target: body.longUrl,
      target_host: 'example.com',
      user_id: null,
      status: 'active',
      version: 1,
      is_alias: 0,
    });
    expect(row?.['created_at']).toBe(Date.parse(body.created_at));
    expect(await env.LINKS.get(body.code, 'json')).toMatchObject({
      v: 1,
      i: row?.['id'],
      s: 'a',
      u: body.longUrl,
      e: 0,
    });
    expect(
      await env.DB.prepare('SELECT count(*) AS n FROM link_outbox WHERE link_id = ?1')
        .bind(row?.['id'])
        .first('n'),
    ).toBe(0);
  });

  it.each([
    ['no target', {}, 400, 'invalid_body', 'longUrl'],
    ['an empty target', { longUrl: '  ' }, 400, 'invalid_target', 'longUrl'],
    ['a script', { longUrl: 'javascript:alert(1)' }, 400, 'invalid_target', 'longUrl'],
    ['our own host', { longUrl: 'http://LOCALHOST.:8787/abc' }, 400, 'invalid_target', 'longUrl'],
    [
      'an alias',
      { longUrl: 'https://example.com', customCode: 'mine' },
      401,
      'unauthenticated',
      undefined,
    ],
    [
      'an end date',
      { longUrl: 'https://example.com', expiresAt: 9e12 },
      401,
      'unauthenticated',
      undefined,
    ],
    ['a title', { longUrl: 'https://example.com', title: 'x' }, 401, 'unauthenticated', undefined],
    ['tags', { longUrl: 'https://example.com', tags: ['x'] }, 401, 'unauthenticated', undefined],
    [
      '2,049 characters',
      { longUrl: `https://example.com/${'a'.repeat(2029)}` },
      400,
      'invalid_target',
      'longUrl',
    ],
  ])('rejects %s', async (_name, json, status, code, field) => {
    const before = await countLinks();
    const response = await shorten(json);
    expect(response.status).toBe(status);
    const body = await response.json<Record<string, unknown>>();
    expect(body).toMatchObject({
      code,
      error: expect.stringMatching(/\.$/),
      requestId: expect.any(String),
    });
    expect(body['field']).toBe(field);
    expect(await countLinks()).toBe(before);
  });

  it('invalid input does not count against the rate limit', async () => {
    const headers = visitor();
    for (let i = 0; i < 15; i += 1)
      expect((await shorten({ longUrl: `ftp://example.com/${i}` }, headers)).status).toBe(400);
    expect((await shorten({ longUrl: 'https://example.com' }, headers)).status).toBe(201);
  });

  it('[T27] allows 10 links a minute, then says when to retry', async () => {
    await inOneMinute(async () => {
      const headers = visitor();
      for (let i = 0; i < 10; i += 1)
        expect((await shorten({ longUrl: `https://example.com/${i}` }, headers)).status).toBe(201);
      const response = await shorten({ longUrl: 'https://example.com/11' }, headers);
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(await response.json()).toMatchObject({ code: 'rate_limited', upgradeRequired: false });
    });
  });

  it('[T27] allows exactly 50 links a day in parallel requests, without storing the address', async () => {
    stopClock();
    const open = { LIMIT_VISITOR_LINKS: { limit: () => Promise.resolve({ success: true }) } };
    const headers = { 'CF-Connecting-IP': '2001:db8:1:2:3::4' };
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        shorten({ longUrl: `https://example.com/d${i}` }, headers, open),
      ),
    );
    expect(all.filter((r) => r.status === 201)).toHaveLength(50);
    const refused = all.filter((r) => r.status === 429);
    expect(refused).toHaveLength(10);
    expect(await refused[0]?.json()).toMatchObject({
      code: 'rate_limited',
      upgradeRequired: false,
    });
    const secondsLeft = Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000);
    expect(Number(refused[0]?.headers.get('Retry-After'))).toBe(secondsLeft);
    const sameNetwork = await shorten(
      { longUrl: 'https://example.com/n' },
      { 'CF-Connecting-IP': '2001:db8:1:2:ffff::1' },
      open,
    );
    expect(sameNetwork.status).toBe(429);
    const { results } = await env.DB.prepare('SELECT key FROM counters').all<{ key: string }>();
    expect(JSON.stringify(results)).not.toMatch(/2001|198\.51/);
  });

  it('an IPv6 /48 shares a daily limit that one limited network does not use up', async () => {
    const now = Date.now();
    const networks = (group: number) => ({
      network: `2001:db8:48:${group}::/64`,
      site: '2001:db8:48::/48',
    });
    /**
     * How many of `times` uses by one network are allowed. Each allowed use changes two counters.
     */
    const take = async (group: number, times: number) => {
      const { statements } = consumeDayAllowance(VISITOR_LINKS, networks(group), 'secret', now);
      const uses = Array.from({ length: times }, () => statements).flat();
      return (await runNamedBatch(openDb(env.DB), { uses })).uses.changes / 2;
    };
    expect(await take(0, 300)).toBe(VISITOR_LINKS_PER_DAY);
    const groups = VISITOR_LINKS.perSite / VISITOR_LINKS_PER_DAY;
    for (let group = 1; group < groups; group++)
      expect(await take(group, VISITOR_LINKS_PER_DAY)).toBe(VISITOR_LINKS_PER_DAY);
    expect(await take(groups, 1)).toBe(0);
  });
});

describe('POST /api/shorten by a member', () => {
  it('[T27] links count against the rate limit of the member, not of the network', async () => {
    const person = await makePerson();
    const keys: string[] = [];
    const LIMIT_WRITES = {
      limit: ({ key }: { key: string }) => {
        keys.push(key);
        return Promise.resolve({ success: false });
      },
    };
    const LIMIT_VISITOR_LINKS = { limit: () => Promise.reject(new Error('not for members')) };
    const overrides = { LIMIT_WRITES, LIMIT_VISITOR_LINKS };
    expect(
      (await shorten({ longUrl: 'https://example.com' }, person.headers, overrides)).status,
    ).toBe(429);
    expect(
      (await shorten({ longUrl: 'ftp://example.com' }, person.headers, overrides)).status,
    ).toBe(400);
    expect(keys).toEqual([person.id]);
    expect(await usageOf(person.id)).toBe(0);
  });

  it('takes an alias and returns the new usage', async () => {
    const person = await makePerson();
    const response = await shorten(
      { longUrl: 'https://example.com', customCode: 'My-First_1' },
      person.headers,
    );
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      code: 'My-First_1',
      usage: { current_usage: 1, monthly_limit: 25 },
    });
  });

  it('takes an end date in the future, up to the year 9999', async () => {
    const person = await makePerson();
    const end = Date.now() + 60_000;
    const response = await shorten(
      { longUrl: 'https://example.com', customCode: 'ends', expiresAt: end },
      person.headers,
    );
    expect(response.status).toBe(201);
    expect(await env.LINKS.get('ends', 'json')).toMatchObject({ e: end });
    for (const expiresAt of [Date.now() - 1, 0, -5, 1.5, 9e15, 253_402_300_800_000]) {
      const refused = await shorten({ longUrl: 'https://example.com', expiresAt }, person.headers);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ code: 'invalid_body', field: 'expiresAt' });
    }
    expect(
      (
        await shorten(
          { longUrl: 'https://example.com', expiresAt: 253_402_300_799_999 },
          person.headers,
        )
      ).status,
    ).toBe(201);
  });

  it('[T13] returns 409 for a taken alias in any case, and counts nothing', async () => {
    const [one, two] = [await makePerson(), await makePerson()];
    expect(
      (await shorten({ longUrl: 'https://example.com', customCode: 'Taken' }, one.headers)).status,
    ).toBe(201);
    for (const customCode of ['Taken', 'taken', 'TAKEN']) {
      const response = await shorten({ longUrl: 'https://example.com', customCode }, two.headers);
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({ code: 'alias_taken', field: 'customCode' });
    }
    expect((await shorten({ longUrl: 'javascript:1' }, two.headers)).status).toBe(400);
    expect(await usageOf(two.id)).toBe(0);
    expect(
      await env.DB.prepare("SELECT count(*) AS n FROM links WHERE lower(code) = 'taken'").first(
        'n',
      ),
    ).toBe(1);
  });

  it.each([
    ['Admin', 'reserved_alias'],
    ['ROBOTS', 'reserved_alias'],
    ['_x', 'reserved_alias'],
    ['a b', 'invalid_alias'],
    ['ä', 'invalid_alias'],
    ['a'.repeat(21), 'invalid_alias'],
    ['robots.txt', 'invalid_alias'],
  ])('rejects the alias %s: %s', async (customCode, code) => {
    const person = await makePerson();
    const response = await shorten({ longUrl: 'https://example.com', customCode }, person.headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code, field: 'customCode' });
    expect(await usageOf(person.id)).toBe(0);
  });

  it('[T25] creates exactly one of 50 parallel links with 24 of 25 used', async () => {
    const person = await makePerson({ usage: 24 });
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        shorten({ longUrl: `https://example.com/r${i}` }, person.headers),
      ),
    );
    expect(all.filter((r) => r.status === 201)).toHaveLength(1);
    const refused = all.filter((r) => r.status === 429);
    expect(refused).toHaveLength(49);
    for (const response of refused) {
      const body = await response.json<{ error: string }>();
      expect(body).toMatchObject({ code: 'quota_reached', upgradeRequired: true });
      expect(body.error).toMatch(/[^.]$/);
    }
    expect(await usageOf(person.id)).toBe(25);
    expect(
      await env.DB.prepare('SELECT count(*) AS n FROM links WHERE user_id = ?1')
        .bind(person.id)
        .first('n'),
    ).toBe(1);
  });

  it('[T25] starts a new cycle once in 50 parallel requests', async () => {
    const person = await makePerson({ usage: 25, now: Date.now() - 32 * DAY_MS });
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        shorten({ longUrl: `https://example.com/c${i}` }, person.headers),
      ),
    );
    expect(all.filter((r) => r.status === 201)).toHaveLength(25);
    expect(await usageOf(person.id)).toBe(25);
  });
});
