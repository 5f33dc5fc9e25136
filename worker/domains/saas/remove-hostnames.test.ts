import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { startSaas } from '#worker/testing/member-domains.ts';
import { checkHosts, hasDueHosts } from './check-hosts.ts';

const NOW = Date.UTC(2031, 0, 1);
const db = openDb(env.DB);
const add = (id: string, nextTryAt: number, tries = 0) =>
  env.DB.prepare('INSERT INTO domain_removals VALUES (?, ?, ?, ?)')
    .bind(id, `${id}.example`, tries, nextTryAt)
    .run();
const left = async () =>
  (
    await env.DB.prepare('SELECT saas_id, tries, next_try_at FROM domain_removals').all<{
      saas_id: string;
      tries: number;
      next_try_at: number;
    }>()
  ).results;

beforeEach(async () => {
  await env.DB.exec('DELETE FROM domain_hosts; DELETE FROM domain_removals;');
});

describe('hostnames that are no longer used', () => {
  it('hostnames are deleted ten at a time, the longest due first', async () => {
    const { runJob } = startSaas();
    for (let n = 0; n <= 10; n += 1) await add(`id-${String(n).padStart(2, '0')}`, NOW - n);
    await add('later', NOW + 1);
    expect(await runJob(NOW)).toMatchObject({ done: { hostnames_deleted: 10 } });
    expect((await left()).map((row) => row.saas_id)).toEqual(['id-00', 'later']);
  });

  it('hostnames are tried again after a pause that doubles and is at most a day', async () => {
    const { runJob, saas } = startSaas();
    for (const tries of [0, 1, 7, 8, 20]) await add(`id-${tries}`, NOW, tries);
    saas.setDown(true);
    expect(await runJob(NOW)).toMatchObject({ done: { hostnames_deleted: 0 } });
    const pauses = (await left()).map((row) => [row.tries, (row.next_try_at - NOW) / MINUTE_MS]);
    expect(pauses.toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
      [1, 10],
      [2, 20],
      [8, 1280],
      [9, DAY_MS / MINUTE_MS],
      [21, DAY_MS / MINUTE_MS],
    ]);
  });

  it('hosts are checked fifteen at a time, the longest due first, none without time', async () => {
    const { runJob, saas, settings } = startSaas();
    await env.DB.prepare(
      "INSERT INTO domains (id, owner_id, name, created_at) VALUES ('d', 'o', 'd.example', 1)",
    ).run();
    const hosts = Array.from({ length: 17 }, (_, n) => `h${n}.d.example`);
    await env.DB.batch(
      hosts.map((host, n) =>
        env.DB.prepare(
          'INSERT INTO domain_hosts (host, domain_id, proven_at, next_check_at, created_at) VALUES (?, ?, 1, ?, 1)',
        ).bind(host, 'd', NOW - n),
      ),
    );
    await add('id', NOW);
    const none = { canContinue: () => false, kvWrites: () => 0 };
    const done = { hosts_checked: 0, hostnames_deleted: 0, mails_sent: 0 };
    expect(await checkHosts({ ...env, ...settings }, NOW, none, saas.respond)).toEqual({
      done,
      left: 16,
    });
    expect(await runJob(NOW)).toMatchObject({ done: { hosts_checked: 15 }, left: 1 });
    const { results } = await env.DB.prepare(
      'SELECT host FROM domain_hosts WHERE checked_at IS NULL ORDER BY host',
    ).all();
    expect(results).toEqual([{ host: hosts[0] }, { host: hosts[1] }]);
  });

  it('hostnames make the job due from their time on', async () => {
    await add('id', NOW);
    const isDue = async (now: number) =>
      (await db.get<{ due: number }>(sql`select ${hasDueHosts(now)} as due`)).due;
    expect([await isDue(NOW - 1), await isDue(NOW)]).toEqual([0, 1]);
  });
});
