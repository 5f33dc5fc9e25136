import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { beforeBatch } from '#worker/testing/faults.ts';
import { insertRow } from '#worker/testing/stored-links.ts';

const OLD = 'https://example.com/old';
const NEW = 'https://example.com/new';
const UNREMEMBERED = { LINK_MEMORY_MS: '0', CLICK_WINDOW_MS: '1' };

const create = (
  person: Person,
  customCode: string,
  longUrl = OLD,
  overrides: Partial<Env> = {},
): Promise<Response> =>
  call('/api/shorten', { json: { longUrl, customCode }, headers: person.headers }, overrides);
const remove = (person: Person, code: string): Promise<Response> =>
  call(`/api/links/${code}`, { method: 'DELETE', headers: person.headers });
const rowsOf = async (code: string) =>
  (
    await env.DB.prepare(
      'SELECT id, released_at, status, version, target, user_id FROM links WHERE code = ?1 ORDER BY id',
    )
      .bind(code)
      .all<{
        id: number;
        released_at: number | null;
        status: string;
        version: number;
        target: string;
        user_id: string | null;
      }>()
  ).results;
const usageOf = (person: Person) =>
  env.DB.prepare('SELECT current_usage FROM subscriptions WHERE user_id = ?1')
    .bind(person.id)
    .first<number>('current_usage');

async function createAndDelete(person: Person, code: string): Promise<void> {
  expect((await create(person, code)).status).toBe(201);
  expect((await remove(person, code)).status).toBe(200);
}

describe('the code of a deleted link', () => {
  it('[T13] a released code belongs to its former owner, who gets a new link with it', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await createAndDelete(me, 'mine-again');
    expect(await (await create(other, 'mine-again')).json()).toMatchObject({
      code: 'alias_taken',
      field: 'customCode',
      error: 'This alias is already taken. Choose another one.',
    });

    const again = await create(me, 'mine-again', NEW);
    expect(again.status).toBe(201);
    expect(await again.json()).toMatchObject({
      code: 'mine-again',
      longUrl: NEW,
      usage: { current_usage: 2 },
    });
    const [old, current] = await rowsOf('mine-again');
    expect(old).toMatchObject({
      released_at: expect.any(Number),
      status: 'deleted',
      version: 2,
      target: OLD,
      user_id: me.id,
    });
    expect(current).toMatchObject({
      released_at: null,
      status: 'active',
      version: 3,
      target: NEW,
      user_id: me.id,
    });
    expect(await env.LINKS.get('mine-again', 'json')).toEqual({
      v: 3,
      i: current?.id,
      s: 'a',
      u: NEW,
      e: 0,
    });
    expect((await call('/mine-again', {}, UNREMEMBERED)).headers.get('Location')).toBe(NEW);

    // Now that it is in use, nobody can take it, and D1 itself accepts no second link with the
    // code.
    for (const person of [me, other]) expect((await create(person, 'mine-again')).status).toBe(409);
    const second = `INSERT INTO links (code, target, target_host, created_at, updated_at) VALUES ('mine-again', 'x', 'x', 1, 1)`;
    await expect(env.DB.prepare(second).run()).rejects.toThrow('UNIQUE');
    expect(await usageOf(me)).toBe(2);
  });

  it('a reused code queues the new link for KV, and no other link', async () => {
    const me = await makePerson();
    await insertRow(Date.now(), { code: 'not-queued' });
    await createAndDelete(me, 'queued-again');
    await env.DB.prepare('DELETE FROM link_outbox').run();
    expect((await create(me, 'queued-again', NEW)).status).toBe(201);
    const queued = await env.DB.prepare(
      'SELECT code, o.version FROM link_outbox o JOIN links ON id = link_id',
    ).all();
    expect(queued.results).toEqual([{ code: 'queued-again', version: 3 }]);
  });

  it('[T13] a reused code leads to the new target at once, even in a warm isolate', async () => {
    const me = await makePerson();
    const remembering = { CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '5000' };
    await create(me, 'remembered');
    expect((await call('/remembered', {}, remembering)).headers.get('Location')).toBe(OLD);
    await remove(me, 'remembered');
    expect((await call('/remembered+')).status).toBe(410);
    await create(me, 'remembered', NEW);
    expect((await call('/remembered', {}, remembering)).headers.get('Location')).toBe(NEW);
    // A copy of the old record that arrives late, in KV as one location sees it, has the lower
    // version.
    await env.LINKS.put('remembered', JSON.stringify({ v: 1, i: 1, s: 'a', u: OLD, e: 0 }));
    expect((await call('/remembered', {}, remembering)).headers.get('Location')).toBe(NEW);
    expect(await (await call('/remembered+')).text()).toContain(NEW);
  });

  it('a deleted link’s code can be reused repeatedly, also if it was generated', async () => {
    const me = await makePerson();
    const made = await call('/api/shorten', { json: { longUrl: OLD }, headers: me.headers });
    const { code } = await made.json<{ code: string }>();
    for (const version of [3, 5]) {
      expect((await remove(me, code)).status).toBe(200);
      expect((await create(me, code, NEW)).status).toBe(201);
      expect((await rowsOf(code)).at(-1)).toMatchObject({ version, status: 'active' });
    }
    expect(await rowsOf(code)).toHaveLength(3);
  });

  it('late clicks of a deleted link count for the deleted link', async () => {
    const me = await makePerson();
    await createAndDelete(me, 'late-clicks');
    expect((await create(me, 'late-clicks', NEW)).status).toBe(201);
    const [old, current] = (await rowsOf('late-clicks')).map(({ id }) => id);
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(old ?? 0), makeClick(old ?? 0), makeClick(current ?? 0)])],
      Date.now(),
    );
    const { urls } = await (
      await call('/api/my-urls', { headers: me.headers })
    ).json<{ urls: { id: number }[] }>();
    expect(urls).toEqual([
      expect.objectContaining({ id: current, short_code: 'late-clicks', click_count: 1 }),
    ]);
    const totals = await env.DB.prepare('SELECT human FROM link_totals WHERE link_id = ?1')
      .bind(old)
      .first('human');
    expect(totals).toBe(2);
    const report = await call('/api/analytics/late-clicks', { headers: me.headers });
    expect(await report.json()).toMatchObject({
      url: { long_url: NEW },
      analytics: { totalClicks: 1 },
    });
  });

  it('[T13] [T25] ten parallel requests for a released code create one link and count one', async () => {
    const me = await makePerson();
    await createAndDelete(me, 'parallel');
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => create(me, 'parallel', `${NEW}/${i}`)),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await rowsOf('parallel')).toHaveLength(2);
    expect(await usageOf(me)).toBe(2);
  });

  it('a released code costs nothing and stays as it is when the quota is used up', async () => {
    const me = await makePerson({ usage: 24 });
    await createAndDelete(me, 'no-quota');
    expect((await create(me, 'no-quota', NEW)).status).toBe(429);
    expect(await rowsOf('no-quota')).toMatchObject([{ released_at: null, status: 'deleted' }]);
    expect(await usageOf(me)).toBe(25);
  });

  it('a released code is not free in another spelling', async () => {
    const me = await makePerson();
    await createAndDelete(me, 'Spelled');
    expect((await create(me, 'spelled')).status).toBe(409);
    expect((await create(me, 'Spelled')).status).toBe(201);
  });

  it('deleting an account leaves released codes ownerless, and no outbox rows', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await createAndDelete(me, 'left-behind');
    await create(me, 'left-behind', NEW);
    await remove(me, 'left-behind');
    const json = { confirm: 'delete my account', links: 'remove' };
    expect(
      (await call('/api/account', { method: 'DELETE', json, headers: me.headers })).status,
    ).toBe(200);
    expect(await rowsOf('left-behind')).toMatchObject([
      { user_id: null, target: '' },
      { user_id: null, target: '' },
    ]);
    expect((await create(other, 'left-behind')).status).toBe(409);
    const queued = `SELECT count(*) AS n FROM link_outbox JOIN links ON id = link_id WHERE released_at IS NOT NULL`;
    expect(await env.DB.prepare(queued).first('n')).toBe(0);
  });
});

describe('the code of a deleted link that moderation knows', () => {
  const UNAVAILABLE =
    'Your deleted link with this alias was disabled, so the alias is not available. Choose another one.';

  const expectUnavailable = async (me: Person, code: string): Promise<void> => {
    const response = await create(me, code, NEW);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      code: 'alias_taken',
      field: 'customCode',
      error: UNAVAILABLE,
    });
  };
  const moderate = (
    admin: Person,
    action: 'disable' | 'enable',
    scope: object,
  ): Promise<Response> =>
    call('/api/admin/moderation', {
      json: { action, scope, reason: 'Phishing.' },
      headers: admin.headers,
    });

  it('[T13] a released code stays unavailable if an administrator had disabled the link', async () => {
    const [me, admin] = [await makePerson(), await makePerson({ role: 'admin' })];
    await create(me, 'removed');
    const scope = { kind: 'link', code: 'removed' };
    expect((await moderate(admin, 'disable', scope)).status).toBe(200);
    await remove(me, 'removed');
    await expectUnavailable(me, 'removed');
    expect((await moderate(admin, 'enable', scope)).status).toBe(404);
    await expectUnavailable(me, 'removed');
    expect(await usageOf(me)).toBe(1);
  });

  it('[T13] a released code is available again once the hold on its host is lifted', async () => {
    const [me, admin] = [await makePerson(), await makePerson({ role: 'admin' })];
    await create(me, 'held-host', 'https://held-host.example.net/');
    const scope = { kind: 'host', host: 'held-host.example.net' };
    expect((await moderate(admin, 'disable', scope)).status).toBe(200);
    await remove(me, 'held-host');
    await expectUnavailable(me, 'held-host');
    expect((await moderate(admin, 'enable', scope)).status).toBe(200);
    expect((await create(me, 'held-host', NEW)).status).toBe(201);
  });

  it('[T51] a released code is available while reports are open, which follow it', async () => {
    const [me, admin] = [await makePerson(), await makePerson({ role: 'admin' })];
    await create(me, 'reported');
    const headers = { 'CF-Connecting-IP': '198.51.100.77' };
    expect(
      (await call('/api/reports', { json: { code: 'reported', reason: 'spam' }, headers })).status,
    ).toBe(201);
    await remove(me, 'reported');
    expect((await create(me, 'reported', NEW)).status).toBe(201);
    const listed = await call('/api/admin/reports?q=reported', { headers: admin.headers });
    const [, current] = await rowsOf('reported');
    expect((await listed.json<{ reports: object[] }>()).reports).toMatchObject([
      { code: 'reported', linkStatus: 'active', longUrl: NEW, reportedUrl: OLD },
    ]);
    const linkIds = await env.DB.prepare('SELECT link_id FROM abuse_reports').all<{
      link_id: number;
    }>();
    expect(linkIds.results.map((row) => row.link_id)).toEqual([current?.id]);
  });

  it('[T13] a released code stays taken if its link is held meanwhile, and costs nothing', async () => {
    const me = await makePerson();
    await createAndDelete(me, 'held-late');
    const [old] = await rowsOf('held-late');
    let batches = 0;
    const DB = beforeBatch(env.DB, async () => {
      // The second batch of the request is the one that would give the code to the new link.
      if (++batches === 2)
        await env.DB.prepare(
          `INSERT INTO link_holds (link_id, kind, created_at) VALUES (?1, 'host', 1)`,
        )
          .bind(old?.id)
          .run();
    });
    expect((await create(me, 'held-late', NEW, { DB })).status).toBe(409);
    expect(batches).toBe(2);
    expect(await rowsOf('held-late')).toMatchObject([{ released_at: null, status: 'deleted' }]);
    expect(await usageOf(me)).toBe(1);
  });

  it('reports follow a reused code, except those that were acted on', async () => {
    const me = await makePerson();
    await createAndDelete(me, 'reported-again');
    const [former] = await rowsOf('reported-again');
    for (const status of ['open', 'dismissed', 'acted'])
      await env.DB.prepare(
        "INSERT INTO abuse_reports (link_id, reason, status, created_at) VALUES (?1, 'spam', ?2, 1)",
      )
        .bind(former?.id, status)
        .run();
    expect((await create(me, 'reported-again', NEW)).status).toBe(201);
    const [, link] = await rowsOf('reported-again');
    const { results } = await env.DB.prepare(
      'SELECT link_id, status FROM abuse_reports WHERE link_id IN (?1, ?2) ORDER BY id',
    )
      .bind(former?.id, link?.id)
      .all();
    expect(results).toEqual([
      { link_id: link?.id, status: 'open' },
      { link_id: link?.id, status: 'dismissed' },
      { link_id: former?.id, status: 'acted' },
    ]);
  });
});
