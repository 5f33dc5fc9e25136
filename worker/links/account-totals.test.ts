import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { deleteExpiredClickData } from '#worker/clicks/delete-expired-click-data.ts';
import { foldWindows } from '#worker/clicks/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeWindow, UA_BOT } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { SUMMED_LINKS_MAX } from './account-totals.ts';
import { listLinks } from './list-links.ts';

const now = Date.now();

/** Makes links, each with a click, and returns the id of the first. */
async function insertLinks(person: Person, prefix: string, n: number): Promise<number> {
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?3)
       INSERT INTO links (code, target, target_host, user_id, created_at, updated_at)
       SELECT ?2 || i, 'https://example.com/' || i, 'example.com', ?1, i, i FROM seq`,
    ).bind(person.id, prefix, n),
    env.DB.prepare(`INSERT INTO link_totals (link_id, human, first_at) SELECT id, 1, 1 FROM links WHERE user_id = ?1`).bind(
      person.id,
    ),
  ]);
  return (await env.DB.prepare('SELECT min(id) AS id FROM links WHERE user_id = ?1').bind(person.id).first<number>('id')) ?? 0;
}

async function measure(person: Person) {
  const { db, rowsRead } = countRowsRead(env.DB);
  const { totals } = await listLinks(openDb(db), person.id, { q: '', cursor: '' }, now);
  return { totals, rowsRead: rowsRead() };
}

const isStored = async (person: Person) =>
  (await env.DB.prepare('SELECT 1 FROM account_totals WHERE user_id = ?1').bind(person.id).first()) !== null;

describe('totals of a member', () => {
  it('read as many rows for 100,000 links as for 100', async () => {
    const [few, many] = [await makePerson(), await makePerson()];
    await insertLinks(few, 'few-', 100);
    await insertLinks(many, 'many-', 100_000);
    expect((await measure(many)).totals).toEqual({ links: 100_000, clicks: 100_000, active: 100_000 });
    const [ofFew, ofMany] = [await measure(few), await measure(many)];
    expect(ofFew.totals.links).toBe(100);
    expect(ofMany.totals.links).toBe(100_000);
    expect(ofFew.rowsRead).toBeGreaterThan(100);
    expect(ofMany.rowsRead).toBeLessThanOrEqual(ofFew.rowsRead + 5);
  });

  it('stay true while links are clicked, created, deleted and claimed', async () => {
    const me = await makePerson({ plan: 'premium' });
    const first = await insertLinks(me, 'mine-', SUMMED_LINKS_MAX + 1);
    await env.DB.prepare('UPDATE link_totals SET human = 0, first_at = NULL WHERE link_id = ?1').bind(first).run();
    const expected = { links: 101, clicks: 100, active: 100 };
    const check = async (change: Partial<typeof expected>, stored = true) => {
      expect(await isStored(me)).toBe(stored);
      expect((await measure(me)).totals).toEqual(Object.assign(expected, change));
    };
    await check({}, false);
    const clicks = [first, first, first + 1].map((link) => makeClick(link, { t: now }));
    await foldWindows(env.DB, [makeWindow([...clicks, makeClick(first, { t: now, ua: UA_BOT })])], now);
    await check({ clicks: 103, active: 101 });

    const create = (customCode: string) =>
      call('/api/shorten', { json: { longUrl: 'https://example.com/', customCode }, headers: me.headers });
    expect((await create('total-new')).status).toBe(201);
    expect((await create('total-new')).status).toBe(409);
    await check({ links: 102 });

    const remove = (code: string) => call(`/api/links/${code}`, { method: 'DELETE', headers: me.headers });
    expect((await remove('mine-1')).status).toBe(200);
    expect((await remove('mine-1')).status).toBe(404);
    await check({ links: 101, clicks: 101, active: 100 });

    const made: { code: string; claimToken: string } = await (
      await call('/api/shorten', { json: { longUrl: 'https://example.com/' } })
    ).json();
    const links = [{ code: made.code, token: made.claimToken }];
    expect((await call('/api/links/claim', { json: { links }, headers: me.headers })).status).toBe(200);
    await check({ links: 102 }, false);
  });

  it('are added up again after a day', async () => {
    const me = await makePerson();
    await insertLinks(me, 'day-', SUMMED_LINKS_MAX + 1);
    await measure(me);
    await deleteExpiredClickData(env, now + DAY_MS);
    expect(await isStored(me)).toBe(true);
    await deleteExpiredClickData(env, now + DAY_MS + 1);
    expect(await isStored(me)).toBe(false);
  });
});
