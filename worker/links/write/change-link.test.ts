import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { inOneMinute } from '#worker/testing/minute.ts';
import { changeLink } from './change-link.ts';
import { readOwnLink } from '#worker/links/read/own-link.ts';
import { beforeBatch } from '#worker/testing/faults.ts';

const create = async (
  person: Person,
  customCode: string,
  longUrl = 'https://example.com/',
): Promise<void> => {
  const response = await call('/api/shorten', {
    json: { longUrl, customCode },
    headers: person.headers,
  });
  expect(response.status).toBe(201);
};
const get = (person: Person, code: string): Promise<Response> =>
  call(`/api/links/${code}`, { headers: person.headers });
const patch = (
  person: Person,
  code: string,
  json: unknown,
  overrides: Partial<Env> = {},
): Promise<Response> =>
  call(`/api/links/${code}`, { method: 'PATCH', json, headers: person.headers }, overrides);
const remove = (person: Person, code: string, overrides: Partial<Env> = {}): Promise<Response> =>
  call(`/api/links/${code}`, { method: 'DELETE', headers: person.headers }, overrides);
const recordOf = (code: string): Promise<unknown> => env.LINKS.get(code, 'json');
const rowOf = (code: string) =>
  env.DB.prepare('SELECT * FROM links WHERE code = ?1').bind(code).first();

/**
 * D1 on which somebody runs `statement` just before each of the first `times` batches of a request.
 */
function changedBeforeBatch(statement: string, times: number): { DB: D1Database } {
  let left = times;
  return {
    DB: beforeBatch(env.DB, async () => {
      if (left-- > 0) await env.DB.prepare(statement).run();
    }),
  };
}

describe('PATCH /api/links/:code', () => {
  it('changes target and end date in D1, the outbox and KV', async () => {
    const me = await makePerson();
    await create(me, 'edit-me');
    const end = Date.now() + DAY_MS;
    const response = await patch(me, 'edit-me', { longUrl: 'example.org/new', expiresAt: end });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      long_url: 'https://example.org/new',
      expires_at: new Date(end).toISOString(),
    });
    expect(await recordOf('edit-me')).toMatchObject({
      v: 2,
      u: 'https://example.org/new',
      e: end,
      s: 'a',
    });
    const row = await env.DB.prepare(
      "SELECT l.version, l.target_host, o.version AS queued FROM links l JOIN link_outbox o ON o.link_id = l.id WHERE code = 'edit-me'",
    ).first();
    expect(row).toEqual({ version: 2, target_host: 'example.org', queued: 2 });
    expect(await (await patch(me, 'edit-me', { expiresAt: null })).json()).toMatchObject({
      expires_at: null,
      long_url: 'https://example.org/new',
    });
  });

  it('returns the link as it is stored', async () => {
    const me = await makePerson();
    await create(me, 'returned');
    const db = openDb(env.DB);
    const change = {
      actor: { userId: me.id, keyName: null },
      ref: { code: 'returned' },
      edit: { enabled: false },
      reputation: null,
      now: Date.now(),
    };
    const stored = async () => readOwnLink(db, me.id, { code: 'returned' });
    expect(await changeLink(db, change)).toEqual({ ok: true, link: await stored() });
  });

  it('changes what the preview shows at once', async () => {
    const me = await makePerson();
    await create(me, 'previewed', 'https://example.com/before');
    expect(await (await call('/previewed+')).text()).toContain('https://example.com/before');
    expect((await patch(me, 'previewed', { longUrl: 'https://example.com/after' })).status).toBe(
      200,
    );
    expect(await (await call('/previewed+')).text()).toContain('https://example.com/after');
  });

  it.each([
    ['nothing', {}, 'invalid_body', undefined],
    ['a script', { longUrl: 'javascript:1' }, 'invalid_target', 'longUrl'],
    ['a past end', { expiresAt: Date.now() - 1000 }, 'invalid_body', 'expiresAt'],
  ])('rejects %s and changes nothing', async (name, change, code, field) => {
    const me = await makePerson();
    const alias = `keep-${name.replaceAll(' ', '-')}`;
    await create(me, alias);
    const before = await rowOf(alias);
    const response = await patch(me, alias, change);
    expect(response.status).toBe(400);
    const body = await response.json<Record<string, unknown>>();
    expect(body).toMatchObject({ code });
    expect(body['field']).toBe(field);
    expect(await rowOf(alias)).toEqual(before);
  });

  it('disables and enables a link', async () => {
    const me = await makePerson();
    await create(me, 'on-off');
    expect(await (await patch(me, 'on-off', { enabled: false })).json()).toMatchObject({
      status: 'disabled',
      status_reason: 'You disabled this link.',
    });
    expect(await recordOf('on-off')).toMatchObject({ s: 'd', v: 2 });
    const page = await (await call('/on-off', {}, { LINK_MEMORY_MS: '0' })).text();
    expect(page).toContain('It has been switched off and does not redirect at the moment.');
    expect(page).not.toMatch(/owner|review/);
    expect(await (await patch(me, 'on-off', { enabled: true })).json()).toMatchObject({
      status: 'active',
      status_reason: null,
    });
    expect(await recordOf('on-off')).toMatchObject({ s: 'a', v: 3 });
    expect(await rowOf('on-off')).toMatchObject({
      status: 'active',
      disabled_by: null,
      disabled_reason: null,
    });
  });

  it.each(['admin', 'blocklist', 'reputation'])(
    'a link disabled by %s cannot be changed, and can be deleted',
    async (by) => {
      const me = await makePerson();
      const alias = `held-${by}`;
      await create(me, alias);
      await env.DB.prepare(
        "UPDATE links SET status = 'disabled', disabled_by = ?2, disabled_reason = 'Phishing.' WHERE code = ?1",
      )
        .bind(alias, by)
        .run();
      for (const change of [
        { enabled: true },
        { enabled: false },
        { longUrl: 'https://example.org' },
      ])
        expect((await patch(me, alias, change)).status).toBe(403);
      expect(await (await get(me, alias)).json()).toMatchObject({
        status: 'disabled',
        status_reason: 'Phishing.',
      });
      expect((await remove(me, alias)).status).toBe(200);
    },
  );

  it('[T1] a link to a blocked target cannot be enabled, nor a link changed to one', async () => {
    const me = await makePerson();
    await create(me, 'turned-bad', 'https://www.bad.example.net/x');
    expect((await patch(me, 'turned-bad', { enabled: false })).status).toBe(200);
    await env.DB.prepare(
      "INSERT INTO blocklist (kind, value, created_at) VALUES ('host', 'bad.example.net', 1)",
    ).run();
    expect((await patch(me, 'turned-bad', { enabled: true })).status).toBe(400);
    expect((await patch(me, 'turned-bad', { longUrl: 'https://bad.example.net./' })).status).toBe(
      400,
    );
    // A change that leaves the link disabled at its stored target is allowed.
    expect((await patch(me, 'turned-bad', { expiresAt: null })).status).toBe(200);
    const created = await call('/api/shorten', {
      json: { longUrl: 'https://deep.www.bad.example.net' },
      headers: me.headers,
    });
    expect(await created.json()).toMatchObject({ code: 'invalid_target', field: 'longUrl' });
    const other = await call('/api/shorten', {
      json: { longUrl: 'https://notbad.example.net' },
      headers: me.headers,
    });
    expect(other.status).toBe(201);
  });

  it('[T1] a link stays disabled when moderation disables it at the same time', async () => {
    const me = await makePerson();
    await create(me, 'race-1');
    const moderation = `UPDATE links SET status = 'disabled', disabled_by = 'admin', version = version + 1 WHERE code = 'race-1'`;
    for (const change of [{ enabled: true }, { longUrl: 'https://example.org/' }]) {
      const response = await patch(me, 'race-1', change, changedBeforeBatch(moderation, 1));
      expect(response.status).toBe(403);
    }
    expect(await rowOf('race-1')).toMatchObject({
      status: 'disabled',
      disabled_by: 'admin',
      target: 'https://example.com/',
    });
  });

  it('repeats a change on the newest version, twice', async () => {
    const me = await makePerson();
    await create(me, 'race-2');
    const other = `UPDATE links SET expires_at = 9000000000000, version = version + 1 WHERE code = 'race-2'`;
    expect(
      (await patch(me, 'race-2', { longUrl: 'https://example.org/' }, changedBeforeBatch(other, 2)))
        .status,
    ).toBe(200);
    expect(await rowOf('race-2')).toMatchObject({
      target: 'https://example.org/',
      expires_at: 9_000_000_000_000,
      version: 4,
    });
  });

  it('returns 409 when the link changes during every attempt', async () => {
    const me = await makePerson();
    await create(me, 'race-3');
    const raise = `UPDATE links SET version = version + 1 WHERE code = 'race-3'`;
    for (const response of [
      await patch(me, 'race-3', { longUrl: 'https://example.org/' }, changedBeforeBatch(raise, 3)),
      await remove(me, 'race-3', changedBeforeBatch(raise, 3)),
    ]) {
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({
        code: 'conflict',
        error: expect.stringContaining('Reload'),
      });
    }
    expect(await rowOf('race-3')).toMatchObject({
      status: 'active',
      target: 'https://example.com/',
      version: 7,
    });
  });

  it('a new target gets a new reputation check, another change keeps its time', async () => {
    const me = await makePerson();
    await create(me, 'recheck');
    await env.DB.prepare("UPDATE links SET recheck_at = 5 WHERE code = 'recheck'").run();
    expect((await patch(me, 'recheck', { expiresAt: null })).status).toBe(200);
    expect(await rowOf('recheck')).toMatchObject({ recheck_at: 5 });
    expect((await patch(me, 'recheck', { longUrl: 'https://example.org/' })).status).toBe(200);
    expect(await rowOf('recheck')).toMatchObject({ recheck_at: null });
  });
});

describe('DELETE /api/links/:code', () => {
  it('[T13] removes the link, writes a tombstone to KV and keeps the code taken in any case', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await create(me, 'gone-1');
    // The response is cached; the deletion must end the entry.
    expect((await call('/api/qr/gone-1')).status).toBe(200);
    expect((await remove(me, 'gone-1')).status).toBe(200);
    expect((await get(me, 'gone-1')).status).toBe(404);
    expect(await recordOf('gone-1')).toMatchObject({ s: 'x', v: 2, u: '' });
    for (const { headers } of [me, other]) {
      const again = await call('/api/shorten', {
        json: { longUrl: 'https://example.com', customCode: 'GONE-1' },
        headers,
      });
      expect(again.status).toBe(409);
    }
    expect((await remove(me, 'gone-1')).status).toBe(404);
    expect((await patch(me, 'gone-1', { enabled: true })).status).toBe(404);
    expect((await call('/api/qr/gone-1')).status).toBe(404);
  });
});

describe('/api/links/:code', () => {
  it('[T15] [T23] returns the same 404 for the link of somebody else and for an unknown code', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await create(other, 'not-mine');
    const shape = async (response: Response): Promise<unknown> => {
      const { requestId: _, ...body } = await response.json<Record<string, unknown>>();
      return { status: response.status, body };
    };
    const ask = (code: string): Promise<unknown[]> =>
      Promise.all([
        get(me, code).then(shape),
        patch(me, code, { enabled: false }).then(shape),
        remove(me, code).then(shape),
      ]);
    const theirs = await ask('not-mine');
    expect(theirs).toEqual(await ask('no-such'));
    expect(theirs).toMatchObject([{ status: 404 }, { status: 404 }, { status: 404 }]);
    expect(await recordOf('not-mine')).toMatchObject({ s: 'a', v: 1 });
  });

  it('[T27] allows a member 300 writes a minute, then says when to retry', async () => {
    await inOneMinute(async () => {
      const [me, other] = [await makePerson(), await makePerson()];
      const statuses = new Set<number>();
      for (let sent = 0; sent < 300; sent += 30) {
        const responses = await Promise.all(
          Array.from({ length: 30 }, () => remove(me, 'no-such')),
        );
        for (const { status } of responses) statuses.add(status);
      }
      expect(statuses).toEqual(new Set([404]));
      for (const limited of [
        await remove(me, 'no-such'),
        await patch(me, 'no-such', { enabled: true }),
      ]) {
        expect(limited.status).toBe(429);
        expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(0);
        expect(await limited.json()).toMatchObject({
          code: 'rate_limited',
          upgradeRequired: false,
        });
      }
      expect((await get(me, 'no-such')).status).toBe(404);
      expect((await remove(other, 'no-such')).status).toBe(404);
    });
  });
});
