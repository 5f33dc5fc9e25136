import { env } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addressHash } from '#worker/users/address-standing.ts';
import { openDb } from '#worker/db/client.ts';
import { address_standing, users } from '#worker/db/schema-users.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { call } from '#worker/testing/call.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { makePerson, makeToken, type Person } from '#worker/testing/make.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { grantAdmin } from './grant.ts';

const db = openDb(env.DB);
let root: Person;
beforeAll(async () => {
  root = await makePerson({ role: 'admin' });
});
afterEach(() => vi.restoreAllMocks());

type Who = Pick<Person, 'headers'>;
const roleOf = async ({ headers }: Who, overrides: Partial<Env>): Promise<unknown> =>
  (await (await call('/api/me', { headers }, overrides)).json<{ role?: unknown }>()).role;
const setRole = (userId: string, role: 'user' | 'admin') =>
  call('/api/admin', {
    json: { action: 'set_role', user_id: userId, role },
    headers: root.headers,
  });
const grants = (userId: string) =>
  db
    .select()
    .from(admin_log)
    .where(sql`${admin_log.subject} = ${`user:${userId}`} and action = 'grant_admin'`);
const withToken = async (id: string, email: string): Promise<Who> => ({
  headers: { Authorization: `Bearer ${await makeToken({ sub: id, email })}` },
});
/** A hosted service that confirms every address. */
function confirmAll() {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    const token = (new Headers(init?.headers).get('Authorization') ?? '').split('.')[1] ?? '';
    const { sub, email } = JSON.parse(atob(token.replaceAll('-', '+').replaceAll('_', '/')));
    return Response.json({ id: sub, email, email_confirmed_at: '2026-01-01T00:00:00Z' });
  });
}

describe('ADMIN_EMAILS', () => {
  it('[A4] grants the role once for parallel requests, with one audit entry', async () => {
    const person = await signInEmbedded();
    const listed = { ...EMBEDDED, ADMIN_EMAILS: person.email };
    const roles = await Promise.all(Array.from({ length: 8 }, () => roleOf(person, listed)));
    expect(new Set(roles)).toEqual(new Set(['admin']));
    expect(await grants(person.id)).toMatchObject([
      {
        admin_id: 'system',
        before: '{"role":"user"}',
        after: '{"role":"admin"}',
        reason: 'ADMIN_EMAILS lists this address.',
      },
    ]);
  });

  it('promotes a user who signed up before the list named them, at any later sign-in', async () => {
    const person = await signInEmbedded();
    expect(await roleOf(person, EMBEDDED)).toBe('user');
    await db.update(users).set({ created_at: 1 }).where(eq(users.id, person.id));
    const json = { email: person.email, password: person.password };
    const session = await (
      await call('/api/auth/v1/token?grant_type=password', { json }, EMBEDDED)
    ).json<{ access_token: string }>();
    const later = { headers: { Authorization: `Bearer ${session.access_token}` } };
    expect(await roleOf(later, { ...EMBEDDED, ADMIN_EMAILS: person.email })).toBe('admin');
    expect(await grants(person.id)).toHaveLength(1);
  });

  it('ignores the list after a demotion until the role is given back', async () => {
    const person = await signInEmbedded();
    const listed = { ...EMBEDDED, ADMIN_EMAILS: person.email };
    expect(await roleOf(person, listed)).toBe('admin');
    expect((await setRole(person.id, 'user')).status).toBe(200);
    expect(await roleOf(person, listed)).toBe('user');
    expect((await setRole(person.id, 'admin')).status).toBe(200);
    expect(await roleOf(person, EMBEDDED)).toBe('admin');
    expect(await db.select().from(address_standing)).toEqual([]);
    expect(await grants(person.id)).toHaveLength(1);
  });

  it('respects a demotion that is only in the audit log', async () => {
    const person = await signInEmbedded();
    await roleOf(person, EMBEDDED);
    const entry = {
      at: 1,
      admin_id: root.id,
      action: 'set_role',
      subject: `user:${person.id}`,
      after: '{"role":"user"}',
    };
    await db.insert(admin_log).values(entry);
    expect(await roleOf(person, { ...EMBEDDED, ADMIN_EMAILS: person.email })).toBe('user');
    expect(await grants(person.id)).toEqual([]);
  });

  it('[A4] a demotion outlasts a change of email and an account deletion', async () => {
    confirmAll();
    const listed = { ADMIN_EMAILS: 'first@example.com' };
    const id = crypto.randomUUID();
    const [first, second] = [
      await withToken(id, 'first@example.com'),
      await withToken(id, 'second@example.com'),
    ];
    expect(await roleOf(first, listed)).toBe('admin');
    expect(await roleOf(second, listed)).toBe('admin');
    expect((await setRole(id, 'admin')).status).toBe(200);
    expect((await setRole(id, 'user')).status).toBe(200);
    expect(await roleOf(first, listed)).toBe('user');
    const json = { confirm: 'delete my account', links: 'remove' };
    expect(
      (await call('/api/account', { method: 'DELETE', json, headers: first.headers }, listed))
        .status,
    ).toBe(200);
    for (const email of ['first@example.com', 'second@example.com'])
      expect(
        await roleOf(await withToken(crypto.randomUUID(), email), { ADMIN_EMAILS: email }),
      ).toBe('user');
  });

  it('grants nothing to a user who has changed since the check', async () => {
    const grant = ({ id, email }: Person) =>
      grantAdmin(db, { id, email }, addressHash('secret', email), 'listed', 1);
    const unchanged = await makePerson();
    expect(await grant(unchanged)).toBe(true);
    const renamed = await makePerson();
    expect(await grant({ ...renamed, email: 'earlier@example.com' })).toBe(false);
    const suspended = await makePerson();
    await db.update(users).set({ suspended_at: 1 }).where(eq(users.id, suspended.id));
    expect(await grant(suspended)).toBe(false);
    const demoted = await makePerson();
    const entry = {
      at: 1,
      admin_id: root.id,
      action: 'set_role',
      subject: `user:${demoted.id}`,
      after: '{"role":"user"}',
    };
    await db.insert(admin_log).values(entry);
    expect(await grant(demoted)).toBe(false);
    const demotedAddress = await makePerson();
    const hash = addressHash('secret', demotedAddress.email) ?? '';
    await db.insert(address_standing).values({ address_hash: hash, demoted_at: 1 });
    expect(await grant(demotedAddress)).toBe(false);
    await db.delete(address_standing);
    expect(await grants(unchanged.id)).toHaveLength(1);
    for (const { id } of [renamed, suspended, demoted, demotedAddress])
      expect(await grants(id)).toEqual([]);
  });

  it('hosted: makes no call to the sign-in service for a demoted address', async () => {
    const asked = confirmAll();
    const person = await makePerson();
    const listed = { ADMIN_EMAILS: person.email };
    expect(await roleOf(person, listed)).toBe('admin');
    expect(asked).toHaveBeenCalledTimes(1);
    await setRole(person.id, 'user');
    expect(await roleOf(person, listed)).toBe('user');
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('ADMIN_EMAILS does not make a suspended user an administrator', async () => {
    const person = await makePerson();
    await db
      .update(users)
      .set({ suspended_at: 1, suspended_reason: 'x' })
      .where(eq(users.id, person.id));
    const asked = confirmAll();
    expect(
      (await call('/api/me', { headers: person.headers }, { ADMIN_EMAILS: person.email })).status,
    ).toBe(403);
    expect(asked).not.toHaveBeenCalled();
    expect(await grants(person.id)).toEqual([]);
  });

  it('makes no storage call for an address that is not listed', async () => {
    const person = await makePerson();
    const calls = async (ADMIN_EMAILS: string) => {
      let n = 0;
      const DB = aroundD1(env.DB, (_, run) => ((n += 1), run()));
      expect(await roleOf(person, { ADMIN_EMAILS, DB })).toBe('user');
      return n;
    };
    expect(await calls('someone@example.com')).toBe(await calls(''));
  });
});
