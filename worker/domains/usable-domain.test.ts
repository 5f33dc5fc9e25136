import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DOMAIN } from '#contract/codes/domain-key.ts';
import { openDb } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { findRefusal, findUsableDomain } from './usable-domain.ts';

const db = openDb(env.DB);
const ME = 'me';
const find = (name: string) => findUsableDomain(db, ME, name);
/** A domain of mine that has lost its host. */
async function makeLost(name: string, given: Partial<typeof domains.$inferInsert> = {}) {
  const id = await makeDomain(name, { owner: ME, ...given });
  await db.delete(domain_hosts).where(eq(domain_hosts.domain_id, id));
  return id;
}

describe('findUsableDomain', () => {
  it('finds own and shared domains by their host in any case', async () => {
    const [own, shared] = [
      await makeDomain('own.test', { owner: ME }),
      await makeDomain('all.test'),
    ];
    expect(await find('Own.TEST')).toEqual({ ok: true, id: own });
    expect(await find('all.test')).toEqual({ ok: true, id: shared });
    expect(await find('')).toEqual({ ok: true, id: DEFAULT_DOMAIN });
  });

  it('says why a domain cannot be used', async () => {
    const foreign = await makeDomain('other.test', { owner: 'other' });
    expect(await findRefusal(db, ME, foreign)).toEqual({ ok: false, reason: 'unknown_domain' });
    await makeDomain('proven.test', { owner: ME, isReady: false });
    await makeDomain('suspended.test', { owner: ME, status: 'suspended' });
    await makeLost('lost.test');
    await makeLost('deleted.test', { status: 'deleted' });
    const reasons = await Promise.all(
      ['other', 'none', 'deleted', 'proven', 'lost', 'suspended'].map((name) =>
        find(`${name}.test`),
      ),
    );
    expect(reasons.map((found) => !found.ok && found.reason)).toEqual([
      'unknown_domain',
      'unknown_domain',
      'unknown_domain',
      'domain_not_ready',
      'domain_not_ready',
      'domain_suspended',
    ]);
  });

  it('leaves out a deleted domain of the same name', async () => {
    for (let at = 0; at < 5; at += 1) await makeLost('twice.test', { status: 'deleted' });
    await makeLost('twice.test');
    for (let at = 0; at < 5; at += 1) await makeLost('twice.test', { status: 'deleted' });
    expect(await find('twice.test')).toEqual({ ok: false, reason: 'domain_not_ready' });
  });
});
