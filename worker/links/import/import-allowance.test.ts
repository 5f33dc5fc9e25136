import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { PLANS } from '#contract/site.ts';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { consumeQuota } from '#worker/plans/quota.ts';
import { call } from '#worker/testing/call.ts';
import { check, importRows, newImportId, usageOf, verdicts } from '#worker/testing/import.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const ALLOWANCE = PLANS.premium.importedLinks;
let serial = 0;
const moved = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    serial += 1;
    return { line: at + 1, url: `https://example.com/${serial}`, code: `moved-${serial}` };
  });
const importedOf = (person: Person) =>
  env.DB.prepare('SELECT imported_links AS n FROM subscriptions WHERE user_id = ?1')
    .bind(person.id)
    .first<number>('n');
const setImported = (person: Person, count: number) =>
  env.DB.prepare('UPDATE subscriptions SET imported_links = ?2 WHERE user_id = ?1')
    .bind(person.id, count)
    .run();

describe('the import allowance', () => {
  it('[T25] Premium brings links with codes although its quota is used up', async () => {
    const me = await makePerson({ plan: 'premium', usage: PLANS.premium.monthlyLimit });
    const rows = [...moved(3), { line: 4, url: 'https://example.com/new' }];
    expect(await check(me, rows)).toMatchObject({ room: 0, allowance: ALLOWANCE });
    const body = await importRows(me, rows);
    expect(verdicts(body)).toEqual(['created', 'created', 'created', 'over_quota']);
    expect([await usageOf(me), await importedOf(me)]).toEqual([PLANS.premium.monthlyLimit, 3]);
  });

  it('[T25] the last links of the allowance and of the quota are used, and no more', async () => {
    const me = await makePerson({ plan: 'premium', usage: PLANS.premium.monthlyLimit - 2 });
    await setImported(me, ALLOWANCE - 2);
    const rows = moved(6);
    const [id, others] = [newImportId(), moved(6)];
    const answers = await Promise.all([importRows(me, rows, { id }), importRows(me, others)]);
    expect(answers.flatMap(verdicts).filter((verdict) => verdict === 'created')).toHaveLength(4);
    expect([await usageOf(me), await importedOf(me)]).toEqual([
      PLANS.premium.monthlyLimit,
      ALLOWANCE,
    ]);
    // A repeated request is charged nothing.
    await importRows(me, rows, { id });
    expect(await importedOf(me)).toBe(ALLOWANCE);
  });

  it('a batch that may create nothing uses neither the quota nor the allowance', async () => {
    const me = await makePerson({ plan: 'premium', usage: 5 });
    const use = { userId: me.id, links: 2, moved: 1, cycleStart: 0, now: Date.now() };
    for (const when of [sql`0`, sql`1`])
      await runBatch(openDb(env.DB), consumeQuota({ ...use, when }).statements);
    expect([await usageOf(me), await importedOf(me)]).toEqual([6, 1]);
  });

  it('Free imports within its quota, and can check every row', async () => {
    const me = await makePerson({ usage: 23 });
    // More than its allowance, from before a downgrade.
    await setImported(me, 3);
    const rows = moved(30);
    const checked = await check(me, rows);
    expect([checked.room, checked.allowance, checked.lines.length]).toEqual([2, 0, 30]);
    const kinds = verdicts(await importRows(me, rows));
    expect([kinds.slice(0, 3), await importedOf(me)]).toEqual([
      ['created', 'created', 'over_quota'],
      3,
    ]);
  });

  it('an administrator renews it, and the log says so', async () => {
    const [me, admin] = [
      await makePerson({ plan: 'premium' }),
      await makePerson({ role: 'admin' }),
    ];
    await importRows(me, moved(2));
    const json = { action: 'renew_import', user_id: me.id };
    expect((await call('/api/admin', { json, headers: me.headers })).status).toBe(403);
    expect((await call('/api/admin', { json, headers: admin.headers })).status).toBe(200);
    expect(await importedOf(me)).toBe(0);
    const logged = await env.DB.prepare(
      'SELECT before, after FROM admin_log WHERE action = ?1 AND subject = ?2',
    )
      .bind('renew_import', `user:${me.id}`)
      .first<{ before: string; after: string }>();
    expect(JSON.parse(logged?.before ?? '{}')).toMatchObject({ imported_links: 2 });
    expect(JSON.parse(logged?.after ?? '{}')).toEqual({ imported_links: 0 });
  });
});
