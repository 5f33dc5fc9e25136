import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { hostKey } from '#worker/redirect/host-record.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { drainOutbox, hasOutbox } from './drain-outbox.ts';
import { drainHostOutbox, publishHosts, publishHostsLater } from './publish-hosts.ts';
import { SETTLE_MS } from './publish.ts';

const NOW = 1_800_000_000_000;
const db = openDb(env.DB);
const refuse = vi.fn(() => Promise.reject(new Error('KV is down')));
const DOWN = {
  ...env,
  LINKS: withMethods(env.LINKS, { put: refuse }),
};
const queue = (host: string, queuedAt: number) =>
  env.DB.prepare('INSERT OR REPLACE INTO host_outbox (host, queued_at) VALUES (?1, ?2)')
    .bind(host, queuedAt)
    .run();
const queued = async () =>
  (await env.DB.prepare('SELECT host FROM host_outbox ORDER BY host').all()).results.map(
    ({ host }) => host,
  );
const recordOf = (host: string) => env.LINKS.get(hostKey(env.LINKS_EPOCH, host), 'json');

beforeEach(() =>
  env.DB.batch(
    ['host_outbox', 'link_outbox', 'domain_hosts', 'domains'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  ),
);

describe('publishHosts', () => {
  it('keeps a host in the outbox until its change has settled, and longer if KV fails', async () => {
    await makeDomain('go.acme.test');
    await queue('go.acme.test', NOW - SETTLE_MS + 1);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    expect(await publishHosts(env, ['go.acme.test'], NOW)).toEqual({ published: 1, left: 0 });
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(5_000);
    timers.mockRestore();
    expect(await queued()).toEqual(['go.acme.test']);
    expect(await publishHosts(DOWN, ['go.acme.test'], NOW + 1)).toEqual({ published: 0, left: 1 });
    expect(refuse).toHaveBeenCalledOnce();
    expect(await queued()).toEqual(['go.acme.test']);
    expect(await drainOutbox(DOWN, NOW + 1)).toEqual({
      done: { hosts_published: 0, links_published: 0, changes_rejected: 1 },
    });
    await publishHosts(env, ['go.acme.test'], NOW + 1);
    expect(await queued()).toEqual([]);
  });

  it('writes a tombstone with the highest version of the domains that had the host', async () => {
    for (const version of [7, 3])
      await makeDomain('gone.acme.test', { status: 'deleted', version }).catch(() => undefined);
    await env.DB.prepare('DELETE FROM domain_hosts').run();
    await env.DB.prepare(
      `INSERT INTO domains (id, owner_id, name, status, version, created_at)
       VALUES ('d.aaaaaaaaaa', 'u', 'gone.acme.test', 'deleted', 3, 1)`,
    ).run();
    await publishHosts(env, ['gone.acme.test', 'never.acme.test'], NOW);
    expect(await recordOf('gone.acme.test')).toEqual({ v: 7, d: '', s: 'x' });
    expect(await recordOf('never.acme.test')).toEqual({ v: 0, d: '', s: 'x' });
  });

  it('writes a host again that has changed while it was written', async () => {
    const id = await makeDomain('busy.acme.test');
    const change = env.DB.prepare(
      "UPDATE domains SET root_url = 'https://b.test/', version = 2 WHERE id = ?1",
    ).bind(id);
    let puts = 0;
    const LINKS = withMethods(env.LINKS, {
      put: async (key: string, text: string) => {
        puts += 1;
        if (puts === 1) await change.run();
        await env.LINKS.put(key, text);
      },
    });
    const result = await publishHosts({ ...env, LINKS }, ['busy.acme.test'], NOW);
    expect([result, puts]).toEqual([{ published: 1, left: 0 }, 2]);
    expect(await recordOf('busy.acme.test')).toMatchObject({ v: 2, r: 'https://b.test/' });
  });

  it('keeps a host in the outbox if KV refuses the newest of its records', async () => {
    const id = await makeDomain('late.acme.test');
    let puts = 0;
    const LINKS = withMethods(env.LINKS, {
      put: async (key: string, text: string) => {
        puts += 1;
        if (puts === 2) throw new Error('KV is down');
        await env.LINKS.put(key, text);
        await env.DB.prepare('UPDATE domains SET version = version + 1 WHERE id = ?1')
          .bind(id)
          .run();
        await queue('late.acme.test', NOW - SETTLE_MS);
      },
    });
    const result = await publishHosts({ ...env, LINKS }, ['late.acme.test'], NOW);
    expect([result, puts]).toEqual([{ published: 1, left: 1 }, 2]);
    expect(await queued()).toContain('late.acme.test');
  });

  it('resolves after a response although D1 fails, because the outbox has the hosts', async () => {
    const DB = withMethods(env.DB, {
      prepare: () => {
        throw new Error('D1 is down');
      },
    });
    await expect(publishHostsLater({ ...env, DB }, ['go.acme.test'], NOW)).resolves.toBeUndefined();
  });
});

describe('drainHostOutbox', () => {
  it('publishes the 50 hosts that have waited longest, which the schedule knows of', async () => {
    const has = async () => (await db.get<{ has: number }>(sql`select ${hasOutbox()} as has`)).has;
    expect(await has()).toBe(0);
    for (let at = 0; at < 51; at += 1)
      await queue(`h${String(at).padStart(2, '0')}.test`, at === 50 ? 1 : 2 + at);
    expect(await has()).toBe(1);
    expect(await drainHostOutbox(env, NOW)).toEqual({ published: 50, left: 0 });
    expect(await queued()).toEqual(['h49.test']);
  });
});
