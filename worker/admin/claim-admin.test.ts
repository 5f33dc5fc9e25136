import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import { openDb } from '#worker/db/client.ts';
import { admin_claims } from '#worker/db/schema-system.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { claimAdmin } from './claim-admin.ts';

const db = openDb(env.DB);

/** Stores a link as the command line does, and returns its secret. */
async function newClaim(expiresAt = Date.now() + HOUR_MS): Promise<string> {
  const token = randomToken();
  await db.insert(admin_claims).values({ token_hash: hashToken(token), expires_at: expiresAt });
  return token;
}
const claim = (
  person: Pick<Person, 'headers'>,
  token: string,
  overrides?: Pick<Env, 'ADMIN_CLAIM'>,
) => call('/api/admin/claim', { json: { token }, headers: person.headers }, overrides);
const isAdmin = async (person: Pick<Person, 'headers'>): Promise<boolean> =>
  (await call('/api/admin?action=stats', { headers: person.headers })).status === 200;
const entriesAbout = (person: Person) =>
  db
    .select()
    .from(admin_log)
    .where(sql`subject = ${`user:${person.id}`} and action = 'claim_admin'`);

describe('[T22] a one-time link for the first administrator', () => {
  it('a one-time link makes the account that uses it an administrator, and is logged', async () => {
    const person = await makePerson();
    const token = await newClaim();
    expect(await isAdmin(person)).toBe(false);
    expect((await claim(person, token)).status).toBe(200);
    expect(await isAdmin(person)).toBe(true);
    expect(await entriesAbout(person)).toMatchObject([
      { admin_id: person.id, before: '{"role":"user"}', after: '{"role":"admin"}' },
    ]);
  });

  it('a one-time link works once, also for parallel requests', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => makePerson()));
    const token = await newClaim();
    const answers = await Promise.all(people.map((person) => claim(person, token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404, 404, 404]);
    expect(await Promise.all(people.map((person) => isAdmin(person)))).toEqual(
      statuses.map((status) => status === 200),
    );
  });

  it('a one-time link has ended at the time of its end', async () => {
    const person = await makePerson();
    const end = Date.now();
    expect(await claimAdmin(db, person.id, await newClaim(end), undefined, end)).toBe(false);
    expect(await isAdmin(person)).toBe(false);
    expect(await claimAdmin(db, person.id, await newClaim(end + 1), undefined, end)).toBe(true);
  });

  it('attempts with one-time links are rate limited by account', async () => {
    const person = await makePerson();
    const keys: string[] = [];
    const LIMIT_WRITES = {
      limit: ({ key }: { key: string }) => (keys.push(key), Promise.resolve({ success: false })),
    };
    const json = { token: randomToken() };
    const answer = await call(
      '/api/admin/claim',
      { json, headers: person.headers },
      { LIMIT_WRITES },
    );
    expect([answer.status, keys]).toEqual([429, [person.id]]);
  });

  it.each([
    ['expired', () => newClaim(Date.now() - 1)],
    ['unknown', async () => randomToken()],
  ])('a one-time link changes nothing if it is %s', async (_, make) => {
    const person = await makePerson();
    const answer = await claim(person, await make());
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: 'This link no longer works. Each works once, for an hour.',
    });
    expect(await isAdmin(person)).toBe(false);
    expect(await entriesAbout(person)).toEqual([]);
  });
});

describe('[T22] the secret ADMIN_CLAIM', () => {
  const secret = 'only-deployers-know!';
  const withSecret = (person: Person, token = secret, ADMIN_CLAIM = secret) =>
    claim(person, token, { ADMIN_CLAIM });
  beforeEach(async () => {
    await db.run(sql`update users set role = 'user'`);
  });

  it('ADMIN_CLAIM makes one administrator, also for parallel requests, and is logged', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => makePerson()));
    const answers = await Promise.all(people.map((person) => withSecret(person)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404]);
    const first = people[statuses.indexOf(200)];
    expect(first && (await isAdmin(first))).toBe(true);
    expect((await Promise.all(people.map(entriesAbout))).flat()).toMatchObject([
      { admin_id: first?.id, reason: 'Opened a link with the secret ADMIN_CLAIM.' },
    ]);
  });

  it('ADMIN_CLAIM changes nothing once there is an administrator, even suspended', async () => {
    const { id } = await makePerson({ role: 'admin' });
    await db.run(sql`update users set suspended_at = 1 where id = ${id}`);
    const person = await makePerson();
    expect((await withSecret(person)).status).toBe(404);
    expect(await isAdmin(person)).toBe(false);
  });

  it.each([
    ['differs', 'another value with it', secret],
    ['is shorter than 20 characters', secret.slice(1), secret.slice(1)],
  ])('ADMIN_CLAIM changes nothing if it %s', async (_, token, value) => {
    const person = await makePerson();
    expect((await withSecret(person, token, value)).status).toBe(404);
    expect(await isAdmin(person)).toBe(false);
  });
});
