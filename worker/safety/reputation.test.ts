import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { link_destinations, links } from '#worker/db/schema-links.ts';
import { recheckReputation } from '#worker/abuse/recheck-reputation.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { checkHarm } from './check-harm.ts';
import { nextCheckAt, createReputation, type Verdict } from './reputation.ts';

const RESOLVER = 'https://dns.example/dns-query';
const LIST = 'https://dns.example/resolve?name={host}.dbl.example&type=A';
const db = openDb(env.DB);
afterEach(() => {
  vi.restoreAllMocks();
});

const answering =
  (body: unknown, status = 200): FetchFunction =>
  () =>
    Promise.resolve(
      new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }),
    );
const a = (...data: string[]) => ({
  Status: 0,
  Answer: data.map((address) => ({ name: 'x', type: 1, data: address })),
});

describe('createReputation', () => {
  it.each([
    ['resolver finds the host', RESOLVER, a('93.184.216.34'), 'good'],
    ['resolver does not know the host', RESOLVER, { Status: 3 }, 'good'],
    ['resolver returns the null address', RESOLVER, a('0.0.0.0'), 'bad'],
    [
      'resolver returns the error Blocked',
      RESOLVER,
      { Status: 3, Comment: ['EDE(15): Blocked'] },
      'bad',
    ],
    ['resolver returns the error Censored', RESOLVER, { Status: 3, Comment: 'EDE(16)' }, 'bad'],
    ['resolver returns the error Filtered', RESOLVER, { Status: 0, Comment: 'EDE(17)' }, 'bad'],
    ['resolver returns another error', RESOLVER, { Status: 0, Comment: 'EDE(14)' }, 'good'],
    ['resolver fails', RESOLVER, { Status: 2 }, 'unknown'],
    ['blocklist without the host', LIST, { Status: 3 }, 'good'],
    ['blocklist with the host as phishing', LIST, a('127.0.1.4'), 'bad'],
    ['blocklist with the host as abused', LIST, a('127.0.1.103'), 'unknown'],
    ['blocklist with its lowest code', LIST, a('127.0.1.2'), 'bad'],
    ['blocklist with its highest harmful code', LIST, a('127.0.1.99'), 'bad'],
    ['blocklist with its lowest code of abuse', LIST, a('127.0.1.100'), 'unknown'],
    ['blocklist with a code below its codes', LIST, a('127.0.1.1'), 'unknown'],
    ['blocklist with several codes', LIST, a('127.0.1.103', '127.0.1.4'), 'bad'],
    ['resolver with several addresses', RESOLVER, a('93.184.216.34', '::'), 'bad'],
    ['blocklist rejects our query', LIST, a('127.255.255.254'), 'unknown'],
    ['blocklist fails', LIST, { Status: 2 }, 'unknown'],
    ['not JSON', RESOLVER, '<html>', 'unknown'],
    ['other JSON', RESOLVER, [], 'unknown'],
  ])('rates the host: %s', async (_, url, body, verdict) => {
    expect(await createReputation(url, answering(body))?.('shop.example')).toBe(verdict);
  });

  it('returns unknown for an error page, a network failure and a timeout', async () => {
    expect(await createReputation(RESOLVER, answering('{}', 500))?.('shop.example')).toBe(
      'unknown',
    );
    expect(
      await createReputation(RESOLVER, () => Promise.reject(new Error('no route')))?.(
        'shop.example',
      ),
    ).toBe('unknown');
    const hanging: FetchFunction = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    expect(await createReputation(RESOLVER, hanging)?.('shop.example')).toBe('unknown');
  });

  it('queries the host by name, and nothing for an IP address', async () => {
    const asked: string[] = [];
    const fetcher: FetchFunction = (url) => (asked.push(url), answering({ Status: 3 })(url));
    await createReputation(RESOLVER, fetcher)?.('shop.example');
    await createReputation(LIST, fetcher)?.('shop.example');
    await createReputation(RESOLVER, fetcher)?.('203.0.113.9');
    expect(asked).toEqual([
      'https://dns.example/dns-query?name=shop.example&type=A',
      'https://dns.example/resolve?name=shop.example.dbl.example&type=A',
    ]);
    expect(createReputation('', fetcher)).toBeNull();
  });
});

describe('checkHarm', () => {
  const NOW = 1_800_000_000_000;
  const MINUTE = 60_000;
  const listed = { href: 'https://a.listed.example/', host: 'a.listed.example' };
  const other = { href: 'https://other.example/', host: 'other.example' };
  const answers = (verdict: Verdict) => () => Promise.resolve(verdict);

  it.each([
    ['a listed host without a service', listed, null, true, 'on_blocklist'],
    ['a listed host that the service calls good', listed, 'good', true, 'on_blocklist'],
    ['another host without a service', other, null, false, null],
    ['a good host', other, 'good', false, NOW + 60 * MINUTE],
    ['a bad host of a member', other, 'bad', true, 'known_harmful'],
    ['an unknown host of a visitor', other, 'unknown', false, 'not_checked'],
    ['an unknown host of a member', other, 'unknown', true, NOW + 10 * MINUTE],
  ] as const)(
    'returns a reason or when to check again: %s',
    async (_, target, verdict, isMember, expected) => {
      await env.DB.prepare(
        "INSERT OR IGNORE INTO blocklist (kind, value, created_at, applied_at) VALUES ('host', 'listed.example', 1, 1)",
      ).run();
      const reputation = verdict === null ? null : answers(verdict);
      const result = await checkHarm(db, [target], reputation, isMember, NOW);
      expect(result.ok ? result.recheckAt : result.reason).toBe(expected);
    },
  );
});

it('checkHarm rates the host of every destination, and each once', async () => {
  const targets = ['good', 'bad', 'bad'].map((host, at) => ({
    href: `https://${host}.example/${at}`,
    host: `${host}.example`,
  }));
  const asked: string[] = [];
  const rate = async (host: string): Promise<Verdict> => {
    asked.push(host);
    return host === 'bad.example' ? 'bad' : 'good';
  };
  expect(await checkHarm(db, targets, rate, true, 0)).toEqual({
    ok: false,
    reason: 'known_harmful',
    href: 'https://bad.example/1',
  });
  expect(asked).toEqual(['good.example', 'bad.example']);
});

const on = { REPUTATION_DOH_URL: RESOLVER };
const answerFetch = (body: unknown) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json(body)));
let hosts = 0;
const shorten = (headers: Record<string, string>, over: Partial<Env> = on) =>
  call(
    '/api/shorten',
    {
      json: { longUrl: `https://r${++hosts}.example.com/` },
      headers: { 'CF-Connecting-IP': `192.0.2.${hosts}`, ...headers },
    },
    over,
  );
const rowOf = async (response: Response) => {
  const { code } = await response.json<{ code: string }>();
  return db.select().from(links).where(eq(links.code, code)).get();
};

describe('creation of a link', () => {
  it('rejects a bad host for visitors and members', async () => {
    answerFetch(a('0.0.0.0'));
    const { headers } = await makePerson();
    for (const response of [await shorten({}), await shorten(headers)]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'invalid_target', field: 'longUrl' });
    }
  });

  it('[T1] fails closed for visitors, and open with a recheck for members', async () => {
    answerFetch({ Status: 2 });
    const { headers } = await makePerson();
    const visitor = await shorten({});
    expect(visitor.status).toBe(503);
    expect(visitor.headers.get('Retry-After')).not.toBeNull();
    const member = await shorten(headers);
    expect(member.status).toBe(201);
    const row = await rowOf(member);
    expect((row?.recheck_at ?? 0) - (row?.created_at ?? 0)).toBe(600_000);
  });

  it('rechecks a good host later, and queries nothing if it is off', async () => {
    const spy = answerFetch({ Status: 0 });
    const row = await rowOf(await shorten({}));
    expect(row?.recheck_at).toBeGreaterThan(row?.created_at ?? 0);
    spy.mockClear();
    expect((await rowOf(await shorten({}, {})))?.recheck_at).toBeNull();
    expect(spy).not.toHaveBeenCalled();
  });
});

describe('recheckReputation', () => {
  const NOW = 1_800_000_000_000;
  const make = async (host: string, over: Partial<typeof links.$inferInsert> = {}) =>
    (
      await db
        .insert(links)
        .values({
          code: host.split('.')[0] ?? '',
          target: `https://${host}/`,
          target_host: host,
          created_at: NOW,
          updated_at: NOW,
          recheck_at: NOW,
          ...over,
        })
        .returning({ id: links.id })
    )[0]?.id ?? 0;
  const row = (id: number) => db.select().from(links).where(eq(links.id, id)).get();
  const DAY = 86_400_000;

  it('[T1] disables links of bad hosts and reschedules the others', async () => {
    await db.update(links).set({ recheck_at: null });
    const bad = [
      await make('turned.example'),
      await make('turned2.example', { target_host: 'turned.example' }),
    ];
    const good = await make('fine.example');
    const old = await make('old.example', { created_at: NOW - 40 * DAY });
    const imported = await make('moved.example', {
      created_at: NOW - 40 * DAY,
      imported_at: NOW - DAY,
    });
    const unsure = await make('unsure.example');
    const later = await make('later.example', { recheck_at: NOW + 1 });
    const asked: string[] = [];
    const fetcher: FetchFunction = (url) => {
      asked.push(url);
      return answering(
        url.includes('turned')
          ? a('0.0.0.0')
          : url.includes('unsure')
            ? { Status: 2 }
            : { Status: 0 },
      )(url);
    };
    expect(await recheckReputation({ ...env, ...on }, NOW, fetcher)).toEqual({
      done: { hosts_checked: 5, links_disabled: 2 },
      left: 0,
    });
    for (const id of bad)
      expect(await row(id)).toMatchObject({
        status: 'disabled',
        disabled_by: 'reputation',
        recheck_at: null,
        version: 2,
      });
    expect(decodeEdgeRecord((await env.LINKS.get('turned')) ?? '')).toMatchObject({
      s: 'd',
      r: expect.stringContaining('harmful'),
    });
    expect(await row(good)).toMatchObject({ status: 'active', recheck_at: NOW + 3_600_000 });
    expect(await row(old)).toMatchObject({ status: 'active', recheck_at: null });
    expect(await row(imported)).toMatchObject({ recheck_at: NOW + DAY });
    expect(await row(unsure)).toMatchObject({ status: 'active', recheck_at: NOW + 600_000 });
    expect(await row(later)).toMatchObject({ recheck_at: NOW + 1 });
    expect(asked.filter((url) => url.includes('turned'))).toHaveLength(1);
    expect(await recheckReputation({ ...env, REPUTATION_DOH_URL: '' }, NOW, fetcher)).toEqual({
      reason: 'not_configured',
    });
  });

  it('[T63] rechecks an old link whose target has changed like a new one', async () => {
    await db.update(links).set({ recheck_at: null });
    const { id: owner, headers } = await makePerson();
    const now = Date.now();
    const id = await make('aged.example', {
      user_id: owner,
      created_at: now - 400 * DAY,
      recheck_at: null,
    });
    answerFetch({ Status: 0 });
    const change = { method: 'PATCH', json: { longUrl: 'https://swapped.example/' }, headers };
    expect((await call('/api/links/aged', change, on)).status).toBe(200);
    const checkedAt = async () => (await row(id))?.recheck_at ?? 0;
    const first = await checkedAt();
    expect(first).toBeGreaterThan(now);
    await recheckReputation({ ...env, ...on }, first, answering({ Status: 0 }));
    expect(await checkedAt()).toBe(first + 3_600_000);
    await recheckReputation({ ...env, ...on }, first + 2 * DAY, answering({ Status: 0 }));
    expect(await checkedAt()).toBe(first + 3 * DAY);
    await recheckReputation({ ...env, ...on }, first + 31 * DAY, answering({ Status: 0 }));
    expect((await row(id))?.recheck_at).toBeNull();
  });

  it('checks at most 60 hosts per run, and no link that is disabled', async () => {
    await db.update(links).set({ recheck_at: null });
    await make('off.example', { status: 'disabled', disabled_by: 'owner', recheck_at: NOW - 1 });
    for (let i = 0; i < 61; i += 1) await make(`h${i}.example`);
    const asked: string[] = [];
    const fetcher: FetchFunction = (url) => (asked.push(url), answering({ Status: 0 })(url));
    expect(await recheckReputation({ ...env, ...on }, NOW, fetcher)).toEqual({
      done: { hosts_checked: 60, links_disabled: 0 },
      left: 1,
    });
    expect(asked.filter((url) => url.includes('off.example'))).toEqual([]);
    expect(await recheckReputation({ ...env, ...on }, NOW, fetcher)).toMatchObject({
      done: { hosts_checked: 1, links_disabled: 0 },
    });
  });

  it('checks every destination of a link before the hosts of later links', async () => {
    await db.update(links).set({ recheck_at: null });
    const id = await make('ruled-link.example', { recheck_at: NOW - 1 });
    const bad = { link_id: id, host: 'bad-rule.example', href: 'https://bad-rule.example/' };
    await db.insert(link_destinations).values(bad);
    for (let i = 0; i < 61; i += 1) await make(`later${i}.example`);
    const fetcher: FetchFunction = (url) =>
      (url.includes('bad-rule') ? answering(a('0.0.0.0')) : answering({ Status: 0 }))(url);
    await recheckReputation({ ...env, ...on }, NOW, fetcher);
    expect(await row(id)).toMatchObject({ status: 'disabled', disabled_by: 'reputation' });
    await db.update(links).set({ recheck_at: null });
  });

  it('checks the links that have been due the longest first', async () => {
    for (let i = 0; i < 61; i++) {
      const id = await make(`due${i}.example`);
      await db
        .update(links)
        .set({ recheck_at: NOW - i })
        .where(eq(links.id, id));
    }
    const asked: string[] = [];
    const fetcher: FetchFunction = (url) => (asked.push(url), answering({ Status: 0 })(url));
    await recheckReputation({ ...env, ...on }, NOW, fetcher);
    expect(asked.some((url) => url.includes('due60.example'))).toBe(true);
    expect(asked.some((url) => url.includes('due0.example'))).toBe(false);
    await db.update(links).set({ recheck_at: null });
  });

  it('lets an administrator enable a link again', async () => {
    const id = await make('overruled.example');
    await recheckReputation({ ...env, ...on }, NOW, answering(a('0.0.0.0')));
    expect(await row(id)).toMatchObject({ status: 'disabled' });
    const { headers } = await makePerson({ role: 'admin' });
    const json = {
      action: 'enable',
      scope: { kind: 'link', code: 'overruled' },
      reason: 'The service is wrong.',
    };
    expect((await call('/api/admin/moderation', { json, headers })).status).toBe(200);
    expect(await row(id)).toMatchObject({ status: 'active', recheck_at: null });
  });

  it('rechecks hourly at first, then daily, then never', () => {
    expect(nextCheckAt('good', NOW, NOW)).toBe(NOW + 3_600_000);
    expect(nextCheckAt('good', NOW - DAY + 1, NOW)).toBe(NOW + 3_600_000);
    expect(nextCheckAt('good', NOW - DAY, NOW)).toBe(NOW + DAY);
    expect(nextCheckAt('good', NOW - 30 * DAY + 1, NOW)).toBe(NOW + DAY);
    expect(nextCheckAt('good', NOW - 30 * DAY, NOW)).toBeNull();
    expect(nextCheckAt('good', NOW - 31 * DAY, NOW)).toBeNull();
    expect(nextCheckAt('unknown', NOW - 31 * DAY, NOW)).toBe(NOW + 600_000);
  });
});
