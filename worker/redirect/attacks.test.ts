import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { inOneMinute } from '#worker/testing/minute.ts';
import { newNetwork } from '#worker/testing/visitor.ts';
import { UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';

/** Without the isolate's memory, every request reads KV. */
const QUICK = { CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '0' };
let person: Person;
let admin: Person;
beforeAll(async () => {
  person = await makePerson({ plan: 'premium' });
  admin = await makePerson({ role: 'admin' });
});

const newAlias = (): string => `l-${crypto.randomUUID().slice(0, 12)}`;

async function makeLink(code: string): Promise<string> {
  const target = `https://example.com/${code}`;
  const made = await call('/api/shorten', {
    json: { longUrl: target, customCode: code },
    headers: person.headers,
  });
  expect(made.status).toBe(201);
  expect(await env.LINKS.get(code)).toContain(target);
  return target;
}
/** What restoring D1 to an earlier time does to a link created since. */
const loseRow = (code: string) =>
  env.DB.prepare('DELETE FROM links WHERE code = ?').bind(code).run();
const moderate = (action: 'disable' | 'enable', code: string) =>
  call('/api/admin/moderation', {
    json: { action, scope: { kind: 'link', code }, reason: 'Phishing.' },
    headers: admin.headers,
  });
const rowOf = (code: string) =>
  env.DB.prepare('SELECT id, version, status, target, target_host FROM links WHERE code = ?')
    .bind(code)
    .first<{ id: number; version: number; status: string; target: string; target_host: string }>();

describe('the limit of unknown codes', () => {
  it('[A8] 60 broken images on a page block no existing link and no preview', async () => {
    await inOneMinute(async () => {
      const [kept, seen] = [newAlias(), newAlias()];
      const target = await makeLink(kept);
      await makeLink(seen);
      const headers = { 'CF-Connecting-IP': newNetwork() };
      const statuses = new Set<number>();
      const images = await Promise.all(
        Array.from({ length: 62 }, (_, i) => call(`/image-${i}`, { headers }, QUICK)),
      );
      for (const { status } of images) statuses.add(status);
      expect(statuses).toEqual(new Set([404, 429]));

      const link = await call(`/${kept}`, { headers }, { ...QUICK, DB: UNTOUCHABLE_DB });
      expect([link.status, link.headers.get('Location')]).toEqual([302, target]);
      const preview = await call(`/${seen}+`, { headers }, { ...QUICK, DB: UNTOUCHABLE_DB });
      expect(preview.status).toBe(200);
      expect(await preview.text()).toContain(`https://example.com/${seen}`);

      const fresh = newAlias();
      const freshTarget = await makeLink(fresh);
      await env.LINKS.delete(fresh);
      const found = await call(`/${fresh}`, { headers }, QUICK);
      expect([found.status, found.headers.get('Location')]).toEqual([302, freshTarget]);
      const unknown = await call('/image-99', { headers }, QUICK);
      expect([unknown.status, unknown.headers.get('Retry-After')]).toEqual([429, '60']);
      expect((await call('/image-99+', { headers }, { ...QUICK, DB: UNTOUCHABLE_DB })).status).toBe(
        429,
      );
    });
  });

  it('[A8] guesses from all networks of one IPv6 /48 count together', async () => {
    const spent = new Set(['miss:2001:db8:8::/48']);
    const over = {
      ...QUICK,
      LIMIT_SITES: {
        limit: ({ key }: { key: string }) => Promise.resolve({ success: !spent.has(key) }),
      },
    };
    const from = (group: string) => ({ headers: { 'CF-Connecting-IP': `2001:db8:8:${group}::1` } });
    expect((await call('/guess-1', from('1'), over)).status).toBe(429);
    expect((await call('/guess-2', from('2'), over)).status).toBe(429);
    const elsewhere = { headers: { 'CF-Connecting-IP': '2001:db8:9:1::1' } };
    expect((await call('/guess-3', elsewhere, over)).status).toBe(404);
  });
});

describe('after D1 is restored to an earlier time', () => {
  it('[A11] redirects a link that D1 has lost, and its preview shows the target', async () => {
    const target = await makeLink('lost-p');
    await loseRow('lost-p');
    expect((await call('/lost-p', {}, QUICK)).headers.get('Location')).toBe(target);
    const preview = await call('/lost-p+', { headers: { Accept: 'application/json' } }, QUICK);
    expect(preview.status).toBe(200);
    expect(await preview.json()).toMatchObject({ longUrl: target, created_at: null });
  });

  it('[A11] lets an administrator disable and enable a link that D1 has lost', async () => {
    const target = await makeLink('lost-m');
    await env.DB.prepare("UPDATE links SET version = 7 WHERE code = 'lost-m'").run();
    await call('/api/links/lost-m', {
      method: 'PATCH',
      json: { longUrl: `${target}?2` },
      headers: person.headers,
    });
    const before = await rowOf('lost-m');
    await loseRow('lost-m');

    expect((await moderate('enable', 'lost-m')).status).toBe(404);
    const done = await moderate('disable', 'lost-m');
    expect([done.status, await done.json()]).toEqual([200, { success: true, links: 1 }]);
    expect(await rowOf('lost-m')).toMatchObject({
      version: (before?.version ?? 0) + 1,
      status: 'disabled',
      target: `${target}?2`,
      target_host: 'example.com',
    });
    expect((await rowOf('lost-m'))?.id).toBeGreaterThan(before?.id ?? 0);
    const gone = await call('/lost-m', { headers: { Accept: 'application/json' } }, QUICK);
    expect([gone.status, await gone.json()]).toEqual([
      410,
      expect.objectContaining({ error: expect.stringContaining('Phishing.') }),
    ]);
    expect((await call('/lost-m+', {}, QUICK)).status).toBe(410);
    const log = await env.DB.prepare(
      "SELECT action, admin_id, reason, after FROM admin_log WHERE subject = 'link:lost-m'",
    ).all();
    expect(log.results).toEqual([
      { action: 'disable_links', admin_id: admin.id, reason: 'Phishing.', after: '{"links":1}' },
    ]);

    expect((await moderate('enable', 'lost-m')).status).toBe(200);
    expect((await call('/lost-m', {}, QUICK)).headers.get('Location')).toBe(`${target}?2`);
    expect((await moderate('disable', 'never-was')).status).toBe(404);
  });

  it('[A11] lets an administrator disable a link that D1 restored as disabled', async () => {
    await makeLink('back-m');
    await moderate('disable', 'back-m');
    const before = await env.DB.prepare("SELECT * FROM links WHERE code = 'back-m'").first<{
      id: number;
      version: number;
    }>();
    await moderate('enable', 'back-m');
    const change = { longUrl: 'https://example.com/later' };
    await call('/api/links/back-m', { method: 'PATCH', json: change, headers: person.headers });
    // The restore: the row and its hold as they were, and an empty outbox.
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE links SET version = ?2, status = 'disabled', disabled_by = 'admin', disabled_reason = 'Phishing.' WHERE id = ?1",
      ).bind(before?.id, before?.version),
      env.DB.prepare(
        "INSERT INTO link_holds (link_id, kind, value, reason, created_at) VALUES (?1, 'link', '', 'Phishing.', 1)",
      ).bind(before?.id),
      env.DB.prepare('DELETE FROM link_outbox'),
    ]);
    expect((await call('/back-m', {}, QUICK)).headers.get('Location')).toBe(change.longUrl);

    const done = await moderate('disable', 'back-m');
    expect([done.status, await done.json()]).toEqual([200, { success: true, links: 1 }]);
    expect((await call('/back-m', {}, QUICK)).status).toBe(410);
    expect((await rowOf('back-m'))?.version).toBe((before?.version ?? 0) + 3);
    expect((await moderate('enable', 'back-m')).status).toBe(200);
    expect((await call('/back-m', {}, QUICK)).status).toBe(302);
  });

  it('[A11] accepts a report about a link that D1 has lost', async () => {
    await makeLink('lost-r');
    await loseRow('lost-r');
    const headers = { 'CF-Connecting-IP': '198.51.100.11' };
    expect(
      (await call('/api/reports', { json: { code: 'lost-r', reason: 'phishing' }, headers }))
        .status,
    ).toBe(201);
    const { reports } = await (
      await call('/api/admin/reports', { headers: admin.headers })
    ).json<{ reports: { code: string; linkStatus: string }[] }>();
    expect(reports).toContainEqual(
      expect.objectContaining({ code: 'lost-r', linkStatus: 'active' }),
    );
  });

  it('[A11] a new LINKS_EPOCH ends only the links that D1 has lost', async () => {
    await makeLink('lost-e');
    const kept = await makeLink('kept-e');
    await loseRow('lost-e');
    await env.DB.prepare("UPDATE links SET updated_at = 1 WHERE code = 'kept-e'").run();
    const after = { ...QUICK, LINKS_EPOCH: '20261101' };
    expect((await call('/lost-e', {}, after)).status).toBe(404);
    expect((await call('/lost-e+', {}, after)).status).toBe(404);
    expect((await call('/kept-e', {}, after)).headers.get('Location')).toBe(kept);
    expect(
      (await call('/kept-e', {}, { ...after, DB: UNTOUCHABLE_DB })).headers.get('Location'),
    ).toBe(kept);
  });
});
