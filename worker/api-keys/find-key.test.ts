import { env } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { api_keys } from '#worker/db/schema-api.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { findKey, keyHolds } from './find-key.ts';
import { newKeySecret } from './key-secret.ts';
import { createKey, readApiKeys, rotateKey } from './manage-keys.ts';
import { insertApiKey, revokeKey, type KeyRow } from './store.ts';

const db = openDb(env.DB);
const NOW = 10 * HOUR_MS;
const [PRESENT, PREVIOUS] = [newKeySecret(), newKeySecret()];
const UNTIL = NOW + HOUR_MS;
let owner: Person;

const KEY: KeyRow = {
  id: 'key',
  user_id: '',
  name: 'CI',
  scopes: 'links:read',
  code_prefix: '',
  prefix: 'hop_live_Ab3x',
  secret_hash: hashToken(PRESENT),
  previous_hash: hashToken(PREVIOUS),
  previous_until: null,
  created_at: NOW,
  expires_at: null,
  last_used_at: null,
  app_host: null,
  code_binding: null,
  code_until: null,
};
const store = (columns: Partial<KeyRow>) =>
  db.insert(api_keys).values({ ...KEY, user_id: owner.id, ...columns });
/** The identity that the key had when its request began. */
async function identityOf(secret: string) {
  const found = await findKey(db, secret, 0);
  if (!found.ok) throw new Error(found.reason);
  return found.identity;
}

beforeEach(async () => {
  await db.delete(api_keys);
  await db.delete(admin_log);
  owner = await makePerson({ now: 1 });
});

describe('how long the secret of a key works', () => {
  it.each([
    ['the previous secret', PREVIOUS, { previous_until: UNTIL }],
    ['the present secret', PRESENT, { expires_at: UNTIL, previous_until: UNTIL * 2 }],
    ['the previous one of a key', PREVIOUS, { expires_at: UNTIL, previous_until: UNTIL * 2 }],
  ] as const)('%s works until the millisecond of its end', async (_, secret, columns) => {
    await store(columns);
    const identity = await identityOf(secret);
    const holds = async (now: number) =>
      (await db.get<{ yes: number }>(sql`select ${keyHolds(identity, now)} as yes`)).yes === 1;
    for (const works of [async (now: number) => (await findKey(db, secret, now)).ok, holds])
      expect([await works(UNTIL - 1), await works(UNTIL)]).toEqual([true, false]);
  });

  it('a suspended owner’s key neither starts a request nor finishes one', async () => {
    await store({});
    const identity = await identityOf(PRESENT);
    await db
      .update(users)
      .set({ suspended_at: 1, suspended_reason: 'Spam.' })
      .where(eq(users.id, owner.id));
    expect(await findKey(db, PRESENT, NOW)).toEqual({
      ok: false,
      reason: 'suspended',
      values: { detail: 'Spam.' },
    });
    expect(await db.get(sql`select ${keyHolds(identity, NOW)} as yes`)).toEqual({ yes: 0 });
  });

  it('a rejected request is no use of its key', async () => {
    await store({ expires_at: NOW });
    await findKey(db, PRESENT, NOW);
    expect((await readApiKeys(db, owner.id, NOW))[0]?.lastUsedAt).toBeNull();
  });

  it('a key has the plan that its owner has at that moment', async () => {
    await store({});
    await db
      .update(subscriptions)
      .set({ plan: 'premium', downgrade_at: NOW })
      .where(eq(subscriptions.user_id, owner.id));
    const planAt = async (now: number) => {
      const found = await findKey(db, PRESENT, now);
      return found.ok && found.identity.plan;
    };
    expect([await planAt(NOW - 1), await planAt(NOW)]).toEqual(['premium', 'free']);
    await db.delete(subscriptions).where(eq(subscriptions.user_id, owner.id));
    expect(await planAt(NOW)).toBe('free');
  });
});

describe('managing keys', () => {
  it('lists the newest key first, and its previous secret until that ends', async () => {
    await store({ id: 'b', created_at: 1, secret_hash: 'b', previous_hash: null });
    await store({ id: 'a', created_at: 2, secret_hash: 'a', previous_until: UNTIL });
    await store({ id: 'c', created_at: 1, secret_hash: 'c', previous_hash: null });
    const until = async (now: number) =>
      (await readApiKeys(db, owner.id, now)).map((key) => [key.id, key.previousSecretUntil]);
    expect(await until(UNTIL - 1)).toEqual([
      ['a', new Date(UNTIL).toISOString()],
      ['c', null],
      ['b', null],
    ]);
    expect((await until(UNTIL))[0]).toEqual(['a', null]);
  });

  it('a new key ends later than now', async () => {
    const create = (ms: number) => {
      const expiresAt = new Date(ms).toISOString();
      return createKey(db, owner.id, { name: 'x', scopes: ['links:read'], expiresAt }, NOW);
    };
    expect(await create(NOW)).toEqual({ ok: false, reason: 'key_ends_in_past' });
    const expiresAt = new Date(NOW + 1).toISOString();
    expect(await create(NOW + 1)).toMatchObject({ ok: true, key: { expiresAt } });
  });

  it('each change of a key is recorded with the start of its present secret', async () => {
    const made = await createKey(db, owner.id, { name: 'x', scopes: ['links:read'] }, NOW);
    if (!made.ok) throw new Error(made.reason);
    const { id, prefix } = made.key;
    const rotation = { userId: owner.id, id, overlapMs: 0, now: NOW + 1 };
    const rotated = await rotateKey(db, rotation);
    expect(await revokeKey(db, owner.id, id, NOW + 2)).toBe(true);
    expect(await revokeKey(db, owner.id, id, NOW + 3)).toBe(false);
    const entries = await db.select().from(admin_log).orderBy(admin_log.id);
    const after = (shown: string | undefined) =>
      JSON.stringify({ key: id, name: 'x', scopes: 'links:read', prefix: shown });
    expect(entries.map((entry) => [entry.action, entry.at, entry.after])).toEqual([
      ['create_api_key', NOW, after(prefix)],
      ['rotate_api_key', NOW + 1, after(rotated?.prefix)],
      ['revoke_api_key', NOW + 2, after(rotated?.prefix)],
    ]);
  });

  it('a rotation keeps everything of a key but its secret', async () => {
    const expires_at = NOW + 9;
    await store({ expires_at, last_used_at: 7, code_prefix: 'z-', previous_until: UNTIL });
    await rotateKey(db, { userId: owner.id, id: 'key', overlapMs: 5, now: NOW });
    const [row] = await db.select().from(api_keys);
    expect(row).toEqual({
      ...KEY,
      user_id: owner.id,
      expires_at,
      last_used_at: 7,
      code_prefix: 'z-',
      prefix: expect.any(String),
      secret_hash: expect.any(String),
      previous_hash: hashToken(PRESENT),
      previous_until: NOW + 5,
    });
  });

  it('nobody changes the key of another member, and nothing is recorded', async () => {
    await store({});
    const stranger = await makePerson();
    const rotation = { userId: stranger.id, id: 'key', overlapMs: 0, now: NOW };
    expect(await rotateKey(db, rotation)).toBeNull();
    expect(await revokeKey(db, stranger.id, 'key', NOW)).toBe(false);
    expect(await insertApiKey(db, { ...KEY, id: 'x', user_id: 'a deleted member' })).toBe(false);
    expect(await db.select().from(api_keys)).toEqual([{ ...KEY, user_id: owner.id }]);
    expect(await db.select().from(admin_log)).toEqual([]);
  });
});
