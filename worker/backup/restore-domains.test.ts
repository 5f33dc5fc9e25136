import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { openDb } from '#worker/db/client.ts';
import { acceptDomain, offerDomain } from '#worker/domains/saas/transfer-domain.ts';
import { removeDomain } from '#worker/domains/saas/remove-domain.ts';
import { drainHostOutbox } from '#worker/edge/publish-hosts.ts';
import { syncSharedHosts } from '#worker/domains/sync-shared-hosts.ts';
import { hostKey, type HostRecord } from '#worker/redirect/host-record.ts';
import { rowsOf } from '#worker/testing/clicks.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { backUpNightly } from './back-up-nightly.ts';
import { copyKeyOf } from './backup-format.ts';
import { dateOf, partStoreOf } from './copies.ts';
import { reconcilePlatformCopy } from './reconcile-edge.ts';
import { restoreBackup } from './restore-backup.ts';

const db = openDb(env.DB);
const NOW = Date.now();
const store = partStoreOf(env, dateOf(NOW));
const OPTIONS = {
  replace: true,
  reopen: false,
  unverified: false,
  key: copyKeyOf(env.AUTH_SECRET ?? ''),
};
const KEPT = 'kept.acme.example';
const MOVED = 'moved.acme.example';
const REMOVED = 'removed.acme.example';
const SUSPENDED = 'suspended.acme.example';

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();
const suspend = (id: DomainId) =>
  run("UPDATE domains SET status = 'suspended', version = version + 1 WHERE id = ?1", id);
/** The domain to which each host leads. */
async function hostsNow(): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await rowsOf('domain_hosts')).map(({ host, domain_id: id }) => [host, id]),
  );
}
const statusNow = async (id: DomainId) =>
  (await rowsOf('domains')).find((row) => row['id'] === id)?.['status'];
const stateInKv = async (host: string) =>
  (await env.LINKS.get<{ s: string }>(hostKey(env.LINKS_EPOCH, host), 'json'))?.s;

let ids: Record<'kept' | 'moved' | 'removed' | 'suspended' | 'orphan' | 'bad', DomainId>;
let ben: Person;
let movedTo: unknown;

beforeAll(async () => {
  const ann = await makePerson({ plan: 'premium', now: NOW });
  ben = await makePerson({ now: NOW });
  const before = {
    kept: await makeDomain(KEPT, { owner: ann.id }),
    moved: await makeDomain(MOVED, { owner: ann.id }),
    removed: await makeDomain(REMOVED, { owner: ann.id }),
    suspended: await makeDomain(SUSPENDED, { owner: ann.id }),
  };
  await run('UPDATE users SET default_domain = ?1 WHERE id = ?2', before.removed, ann.id);
  await backUpNightly(env, NOW);

  await removeDomain(db, ann.id, { host: REMOVED, typed: REMOVED }, NOW);
  await offerDomain(db, { ownerId: ann.id, host: MOVED, email: ben.email }, NOW);
  expect(await acceptDomain(db, { userId: ben.id, host: MOVED }, NOW)).toMatchObject({ ok: true });
  movedTo = (await hostsNow())[MOVED];
  await suspend(before.suspended);
  const late = await makePerson({ now: NOW });
  ids = {
    ...before,
    orphan: await makeDomain('orphan.acme.example', { owner: late.id }),
    bad: await makeDomain('bad.acme.example', { owner: late.id }),
  };
  await run("UPDATE domain_hosts SET saas_id = 'hostname-1' WHERE domain_id = ?1", ids.orphan);
  await suspend(ids.bad);
  await drainHostOutbox(env, NOW);
});

describe('domains after a restore', () => {
  it('[T50] a host does not return to a former owner, nor a deleted domain', async () => {
    const result = await restoreBackup(env, store, OPTIONS, NOW);
    expect(result).toMatchObject({ ok: true, hosts: 0, kept: { hosts: 2 } });
    expect(await hostsNow()).toEqual({
      [KEPT]: ids.kept,
      [MOVED]: movedTo,
      [SUSPENDED]: ids.suspended,
      'bad.acme.example': ids.bad,
    });
    expect(await Promise.all([ids.kept, ids.moved, ids.removed].map(statusNow))).toEqual([
      'active',
      'deleted',
      'deleted',
    ]);
    expect((await rowsOf('users')).map((row) => row['default_domain'])).toEqual(['', '']);
  });

  it('[T50] a suspended domain stays suspended, also one younger than the copy', async () => {
    expect(await Promise.all([ids.suspended, ids.bad, ids.orphan].map(statusNow))).toEqual([
      'suspended',
      'suspended',
      'deleted',
    ]);
  });

  it('a hostname without a host is deleted at the platform, and KV has no record of it', async () => {
    expect(await rowsOf('domain_removals')).toMatchObject([{ saas_id: 'hostname-1' }]);
    expect(await stateInKv('orphan.acme.example')).toBe('x');
  });

  it('[T50] an empty database knows from KV which hosts have left their domain', async () => {
    await drainHostOutbox(env, NOW);
    for (const table of ['links', 'users', 'auth_users', 'domain_hosts', 'domains'])
      await run(`DELETE FROM ${table}`);
    const result = await restoreBackup(env, store, { ...OPTIONS, replace: false }, NOW);
    expect(result).toMatchObject({ ok: true, hosts: 3, kept: { wasEmpty: true } });
    // Only this host has had a hostname at the platform.
    expect(await rowsOf('domain_removals')).toMatchObject([{ saas_id: 'hostname-1' }]);
    expect(await hostsNow()).toEqual({ [KEPT]: ids.kept, [SUSPENDED]: ids.suspended });
    expect(await statusNow(ids.suspended)).toBe('suspended');
    expect(await Promise.all([KEPT, MOVED, REMOVED, SUSPENDED].map(stateInKv))).toEqual([
      'a',
      'x',
      'x',
      's',
    ]);
  });

  it('[T50] a database that the platform has restored learns it from KV, too', async () => {
    await run('UPDATE domains SET version = 1 WHERE id = ?1', ids.moved);
    await run(
      'INSERT INTO domain_hosts (host, domain_id, proven_at, created_at) VALUES (?1, ?2, 1, 1)',
      MOVED,
      ids.moved,
    );
    await env.LINKS.put(
      hostKey(env.LINKS_EPOCH, MOVED),
      JSON.stringify({ v: 9, d: movedTo, s: 'a' }),
    );
    // A record that is older than its row says nothing.
    const older = { v: 1, d: movedTo, s: 'a' };
    await env.LINKS.put(hostKey(env.LINKS_EPOCH, KEPT), JSON.stringify(older));
    // A host of the operator stays, whatever KV says.
    const shared = 'shared.acme.example';
    const own = await makeDomain(shared);
    const newer = { v: 9, d: movedTo, s: 'a', o: 1 };
    await env.LINKS.put(hostKey(env.LINKS_EPOCH, shared), JSON.stringify(newer));
    expect(await reconcilePlatformCopy(env, OPTIONS, NOW)).toMatchObject({ hosts: 1 });
    expect(await hostsNow()).not.toHaveProperty([MOVED]);
    expect(await hostsNow()).toMatchObject({ [KEPT]: ids.kept, [shared]: own });
    expect(await stateInKv(MOVED)).toBe('x');
    await run('DELETE FROM domain_hosts WHERE host = ?1', shared);
  });

  it('[T50] a domain that only KV knows keeps its state, and its name never counts back', async () => {
    const [young, bad, shared] = ['young.acme.example', 'bad2.acme.example', 'own.acme.example'];
    const put = (host: string, record: Pick<HostRecord, 'd' | 's' | 'o'> & { v?: number }) =>
      env.LINKS.put(hostKey(env.LINKS_EPOCH, host), JSON.stringify({ v: 7, ...record }));
    await put(young, { d: 'd.youngyoung', s: 'a' });
    await put(bad, { d: 'd.badbadbadb', s: 's' });
    await put(shared, { d: 'd.sharedshar', s: 'a', o: 1 });
    await reconcilePlatformCopy(env, OPTIONS, NOW);
    const read = (host: string) => env.LINKS.get(hostKey(env.LINKS_EPOCH, host), 'json');
    for (const host of [young, bad, shared])
      expect(await read(host)).toEqual({ v: 8, d: '', s: 'x' });
    expect(await Promise.all(['d.youngyoung', 'd.badbadbadb'].map(statusNow))).toEqual([
      'deleted',
      'suspended',
    ]);
    // Two hosts of one domain that the database lacks: the suspension and the higher version win.
    const twins = ['twin1.acme.example', 'twin2.acme.example'];
    await put(twins[0] ?? '', { d: 'd.twintwintw', s: 'a', o: 1, v: 9 });
    await put(twins[1] ?? '', { d: 'd.twintwintw', s: 's', o: 1 });
    await reconcilePlatformCopy(env, OPTIONS, NOW);
    const twin = (await rowsOf('domains')).find(({ id }) => id === 'd.twintwintw');
    expect(twin).toMatchObject({ status: 'suspended', version: 10 });
    const settings = { APP_ORIGIN: 'https://hop.example', SHORT_HOSTS: shared };
    expect(await syncSharedHosts({ ...env, ...settings }, NOW)).toBe(1);
    expect(await read(shared)).toMatchObject({ d: 'd.sharedshar', s: 'a' });
  });
});
