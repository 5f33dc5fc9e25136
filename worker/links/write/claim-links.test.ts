import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { ClaimLine } from '#contract/links/links.ts';
import { KEEP_LINK_CLAIMS_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { deleteExpiredData } from '#worker/clicks/maintenance/delete-expired-data.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { bodyOf, newNetwork, shortenAsVisitor } from '#worker/testing/visitor.ts';
import { claimLinks } from './claim-links.ts';

const db = openDb(env.DB);
type Made = { code: string; token: string };

/** Creates a link without an account. */
async function makeLink(): Promise<Made> {
  const response = await shortenAsVisitor({
    body: JSON.stringify({ longUrl: 'https://example.com/claimed' }),
  });
  expect(response.status).toBe(201);
  const { code, claimToken } = await bodyOf(response);
  return { code: String(code), token: String(claimToken) };
}
const send = (
  person: Person,
  links: readonly Made[],
  overrides: Partial<Env> = {},
): Promise<Response> =>
  call(
    '/api/links/claim',
    { json: { links }, headers: { 'CF-Connecting-IP': newNetwork(), ...person.headers } },
    overrides,
  );
async function claim(person: Person, links: readonly Made[]): Promise<ClaimLine[]> {
  const response = await send(person, links);
  expect(response.status).toBe(200);
  return (await response.json<{ lines: ClaimLine[] }>()).lines;
}
const rowOf = (code: string) =>
  env.DB.prepare('SELECT * FROM links WHERE code = ?1').bind(code).first();
const ownerOf = async (code: string) => (await rowOf(code))?.['user_id'];
const usageOf = (id: string): Promise<number | null> =>
  env.DB.prepare('SELECT current_usage FROM subscriptions WHERE user_id = ?1')
    .bind(id)
    .first<number>('current_usage');
const countClaims = (code: string): Promise<number | null> =>
  env.DB.prepare('SELECT count(*) AS n FROM link_claims JOIN links ON id = link_id WHERE code = ?1')
    .bind(code)
    .first('n');
const notClaimable = ({ code }: Pick<Made, 'code'>) => ({
  ok: false,
  code,
  reason: 'not_claimable',
  error: "This link can't be added to an account.",
});

describe('the claim token of a new link', () => {
  it('[T23] the claim token is given to visitors only, and stored as a hash', async () => {
    const { code, token } = await makeLink();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await countClaims(code)).toBe(1);
    expect(
      JSON.stringify((await env.DB.prepare('SELECT * FROM link_claims').all()).results),
    ).not.toContain(token);
    const member = await makePerson();
    const made = await call('/api/shorten', {
      json: { longUrl: 'https://example.com' },
      headers: member.headers,
    });
    const body = await bodyOf(made);
    expect(body).not.toHaveProperty('claimToken');
    expect(await countClaims(String(body['code']))).toBe(0);
  });
});

describe('POST /api/links/claim', () => {
  it('changes the owner in D1, the outbox and KV, and uses the quota', async () => {
    const me = await makePerson();
    const [one, two] = [await makeLink(), await makeLink()];
    expect(await claim(me, [one, two])).toEqual([
      { ok: true, code: one.code },
      { ok: true, code: two.code },
    ]);
    const row = await rowOf(one.code);
    expect(row).toMatchObject({ user_id: me.id, status: 'active', version: 2 });
    expect(await env.LINKS.get(one.code, 'json')).toMatchObject({
      v: 2,
      s: 'a',
      u: 'https://example.com/claimed',
    });
    const queued = 'SELECT version FROM link_outbox WHERE link_id = ?1';
    expect(await env.DB.prepare(queued).bind(row?.['id']).first('version')).toBe(2);
    expect(await usageOf(me.id)).toBe(2);
    expect(await countClaims(one.code)).toBe(0);
    const mine = await bodyOf(await call('/api/my-urls', { headers: me.headers }));
    expect(mine).toMatchObject({ totals: { links: 2 } });
    const analytics = await call(`/api/analytics/${one.code}`, { headers: me.headers });
    expect(analytics.status).toBe(200);
  });

  it('shows the owner the clicks from before', async () => {
    const me = await makePerson();
    const link = await makeLink();
    const id = Number((await rowOf(link.code))?.['id']);
    const now = Date.now();
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(id, { t: now }), makeClick(id, { t: now })])],
      now,
    );
    expect((await claim(me, [link]))[0]?.ok).toBe(true);
    const report = await bodyOf(
      await call(`/api/analytics/${link.code}?range=all`, { headers: me.headers }),
    );
    expect(report).toMatchObject({ analytics: { totalClicks: 2 } });
  });

  it('[T23] a claim works once: repeats use nothing, and another account is rejected', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const link = await makeLink();
    for (let i = 0; i < 2; i++)
      expect(await claim(me, [link, link])).toEqual(
        [0, 1].map(() => ({ ok: true, code: link.code })),
      );
    expect(await usageOf(me.id)).toBe(1);
    expect((await rowOf(link.code))?.['version']).toBe(2);
    expect(await claim(other, [link])).toEqual([notClaimable(link)]);
    expect(await ownerOf(link.code)).toBe(me.id);
    expect(await usageOf(other.id)).toBe(0);
  });

  it('[T23] a link that many accounts claim at once goes to one of them', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => makePerson()));
    const link = await makeLink();
    const answers = await Promise.all(
      people.flatMap((person) => [claim(person, [link]), claim(person, [link])]),
    );
    const winners = people.filter((_, index) => answers[index * 2]?.[0]?.ok === true);
    expect(winners.map(({ id }) => id)).toEqual([await ownerOf(link.code)]);
    const usages = await Promise.all(people.map(({ id }) => usageOf(id)));
    expect(usages.filter((usage) => usage === 1)).toHaveLength(1);
    expect(usages.filter((usage) => usage === 0)).toHaveLength(5);
    expect((await rowOf(link.code))?.['version']).toBe(2);
  });

  it('a claim ends at its time, to the millisecond', async () => {
    const [me, link] = [await makePerson(), await makeLink()];
    const end = await env.DB.prepare(
      'SELECT c.expires_at FROM link_claims c JOIN links l ON l.id = c.link_id WHERE code = ?1',
    )
      .bind(link.code)
      .first<number>('expires_at');
    const outcomes = async (now: number) => (await claimLinks(db, me.id, [link], now)).outcomes;
    expect(await outcomes(end ?? 0)).toEqual(['not_claimable']);
    expect(await outcomes((end ?? 0) - 1)).toEqual(['claimed']);
  });

  it('a link that a request names twice is claimed and counted once', async () => {
    const [me, link] = [await makePerson(), await makeLink()];
    const wrong = { ...link, token: 'wrong' };
    expect((await claim(me, [wrong, link, link])).map(({ ok }) => ok)).toEqual([false, true, true]);
    expect(await usageOf(me.id)).toBe(1);
    expect((await rowOf(link.code))?.['version']).toBe(2);
  });

  it('[T23] unknown, wrong, expired, taken, owned and disabled links get one answer', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    const links = await Promise.all(Array.from({ length: 5 }, makeLink));
    const [a, b, expired, taken, disabled] = links;
    if (
      a === undefined ||
      b === undefined ||
      expired === undefined ||
      taken === undefined ||
      disabled === undefined
    )
      throw new Error('Five links were made.');
    const idOf = async ({ code }: Made) => (await rowOf(code))?.['id'];
    await env.DB.prepare('UPDATE link_claims SET expires_at = ?1 WHERE link_id = ?2')
      .bind(Date.now(), await idOf(expired))
      .run();
    expect((await claim(other, [taken]))[0]?.ok).toBe(true);
    const admin = await makePerson({ role: 'admin' });
    const hold = {
      action: 'disable',
      scope: { kind: 'link', code: disabled.code },
      reason: 'spam',
    };
    expect(
      (await call('/api/admin/moderation', { json: hold, headers: admin.headers })).status,
    ).toBe(200);
    const owned = await call('/api/shorten', {
      json: { longUrl: 'https://example.com' },
      headers: other.headers,
    });
    const requests: Made[] = [
      { code: 'no-such-link', token: a.token },
      { code: a.code, token: b.token },
      { code: a.code, token: `${a.token}x` },
      { code: a.code, token: '0'.repeat(64) },
      expired,
      taken,
      disabled,
      { code: String((await bodyOf(owned))['code']), token: a.token },
    ];
    expect(await claim(me, requests)).toEqual(requests.map(notClaimable));
    expect(await usageOf(me.id)).toBe(0);
    expect(await ownerOf(a.code)).toBeNull();

    const lift = { ...hold, action: 'enable' };
    expect(
      (await call('/api/admin/moderation', { json: lift, headers: admin.headers })).status,
    ).toBe(200);
    expect(await claim(me, [disabled, a])).toEqual([
      { ok: true, code: disabled.code },
      { ok: true, code: a.code },
    ]);
  });

  it('[T25] takes what the quota holds and says which links it does not', async () => {
    const me = await makePerson({ usage: 23 });
    const links = await Promise.all(Array.from({ length: 4 }, makeLink));
    const lines = await claim(me, links);
    expect(lines.map((line) => (line.ok ? 'claimed' : line.reason))).toEqual([
      'claimed',
      'claimed',
      'quota_reached',
      'quota_reached',
    ]);
    expect(lines[3]).toMatchObject({ error: "You have used all of this month's links." });
    expect(await usageOf(me.id)).toBe(25);
    expect(await countClaims(links[3]?.code ?? '')).toBe(1);
    await env.DB.prepare('UPDATE subscriptions SET monthly_limit = 1000 WHERE user_id = ?1')
      .bind(me.id)
      .run();
    expect((await claim(me, links)).every(({ ok }) => ok)).toBe(true);
    expect(await usageOf(me.id)).toBe(27);
  });

  it('[T25] parallel claims never exceed the quota', async () => {
    const me = await makePerson({ usage: 20 });
    const links = await Promise.all(Array.from({ length: 12 }, makeLink));
    await Promise.all([
      ...[0, 1, 2].map((part) => claim(me, links.slice(part * 4, part * 4 + 4))),
      ...[0, 1, 2].map(() =>
        call('/api/shorten', { json: { longUrl: 'https://example.com' }, headers: me.headers }),
      ),
    ]);
    expect(await usageOf(me.id)).toBe(25);
    const owned = await env.DB.prepare('SELECT count(*) AS n FROM links WHERE user_id = ?1')
      .bind(me.id)
      .first('n');
    expect(owned).toBe(5);
  });

  it('[T27] claims are limited per member and per network', async () => {
    const link = await makeLink();
    const me = await makePerson();
    /** A limit that is used up, and the keys under which requests were counted. */
    const usedUp = () => {
      const keys: string[] = [];
      return {
        keys,
        limit: ({ key }: { key: string }) => (keys.push(key), Promise.resolve({ success: false })),
      };
    };
    const [LIMIT_WRITES, LIMIT_MISSES] = [usedUp(), usedUp()];
    const byMember = await send(me, [link], { LIMIT_WRITES });
    expect(byMember.status).toBe(429);
    expect(await byMember.json()).toMatchObject({ code: 'rate_limited', upgradeRequired: false });
    expect(LIMIT_WRITES.keys).toEqual([me.id]);
    const headers = { 'CF-Connecting-IP': '198.51.100.9' };
    const byNetwork = await send({ ...me, headers: { ...me.headers, ...headers } }, [link], {
      LIMIT_MISSES,
    });
    expect(byNetwork.status).toBe(429);
    expect(Number(byNetwork.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(LIMIT_MISSES.keys).toEqual(['claim:198.51.100.9']);
    expect(await ownerOf(link.code)).toBeNull();
    expect((await claim(me, [link]))[0]?.ok).toBe(true);
  });

  it('an account that is deleted meanwhile gets no link', async () => {
    const { id } = await makePerson();
    const link = await makeLink();
    await env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(id).run();
    const { ids } = await claimLinks(db, id, [link], Date.now());
    expect(ids).toEqual([]);
    expect(await ownerOf(link.code)).toBeNull();
  });

  it.each([
    [{}, 'links'],
    [{ links: 'all' }, 'links'],
    [{ links: [] }, 'links'],
    [{ links: Array.from({ length: 21 }, () => ({ code: 'abc', token: 'x' })) }, 'links'],
    [{ links: [{ code: 'a b', token: 'x' }] }, 'links.0.code'],
    [{ links: [{ code: 'abc', token: 7 }] }, 'links.0.token'],
    [{ links: [{ code: 'abc', token: 'x'.repeat(101) }] }, 'links.0.token'],
  ])('rejects the body %j and names the field', async (json, field) => {
    const me = await makePerson();
    const response = await call('/api/links/claim', { json, headers: me.headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_body', field });
  });
});

describe('claims that have expired', () => {
  it('expired claims are deleted after 30 days', async () => {
    const { code } = await makeLink();
    const created = Number((await rowOf(code))?.['created_at']);
    await deleteExpiredData(env, created + KEEP_LINK_CLAIMS_DAYS * DAY_MS - 1);
    expect(await countClaims(code)).toBe(1);
    await deleteExpiredData(env, created + KEEP_LINK_CLAIMS_DAYS * DAY_MS);
    expect(await countClaims(code)).toBe(0);
  });
});
