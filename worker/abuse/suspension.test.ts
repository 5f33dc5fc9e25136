import { env } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminUsersResponse } from '#contract/moderation/admin.ts';
import { deleteSignInStatements } from '#worker/auth/accounts/delete-sign-in.ts';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { address_standing, users } from '#worker/db/schema-users.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { auth_sessions } from '#worker/db/schema-auth.ts';
import { call } from '#worker/testing/call.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { makePerson, makeToken, type Person } from '#worker/testing/make.ts';
import { EMBEDDED, signInEmbedded, tab } from '#worker/testing/sign-in.ts';

const db = openDb(env.DB);
let admin: Person;
beforeEach(async () => {
  await db.update(users).set({ role: 'user' });
  admin = await makePerson({ role: 'admin' });
});

type Who = Pick<Person, 'headers'>;
const moderate = (
  action: 'disable' | 'enable',
  userId: string,
  who: Who = admin,
  overrides: Partial<Env> = {},
) => {
  const json = {
    action,
    scope: { kind: 'user', userId: userId },
    reason: `Because of ${action}.`,
  };
  return call('/api/admin/moderation', { json, headers: who.headers }, overrides);
};
const shorten = (who: Who, overrides: Partial<Env> = {}) =>
  call(
    '/api/shorten',
    { json: { longUrl: 'https://example.com/' }, headers: who.headers },
    overrides,
  );
/** Stores a link without the requests and limits of `shorten`. */
const makeLinkOf = ({ id }: Person) =>
  db.insert(links).values({
    code: crypto.randomUUID().slice(0, 13),
    target: 'https://example.com/',
    target_host: 'example.com',
    user_id: id,
    created_at: Date.now(),
    updated_at: Date.now(),
  });
const me = (who: Who, overrides: Partial<Env> = {}) =>
  call('/api/me', { headers: who.headers }, overrides);
const remove = (who: Who, overrides: Partial<Env> = {}) => {
  const json = { confirm: 'delete my account', links: 'keep' };
  return call('/api/account', { method: 'DELETE', json, headers: who.headers }, overrides);
};
const userRow = (id: string) => db.select().from(users).where(eq(users.id, id)).get();
const linkStates = async (userId: string) =>
  (await db.select({ status: links.status }).from(links).where(eq(links.user_id, userId))).map(
    ({ status }) => status,
  );
const bearer = async (claims: Record<string, unknown>): Promise<Who> => ({
  headers: { Authorization: `Bearer ${await makeToken(claims)}` },
});

/** Runs `outer` once per storage call that it makes, with `inner` just before that call. */
async function interleave(
  run: (outer: Partial<Env>, inner: (work: () => Promise<unknown>) => void) => Promise<void>,
) {
  for (let at = 0; ; at += 1) {
    let calls = 0;
    let work: (() => Promise<unknown>) | undefined;
    const around = async (_: string, go: () => Promise<unknown>) => {
      calls += 1;
      if (calls === at + 1) await work?.();
      return go();
    };
    await run({ DB: aroundD1(env.DB, around) }, (inner) => (work = inner));
    if (calls <= at) return at;
  }
}

describe('suspended user', () => {
  it('a suspended user cannot sign in, not even with a new account for the address', async () => {
    const person = await signInEmbedded();
    expect((await me(person, EMBEDDED)).status).toBe(200);
    expect((await moderate('disable', person.id)).status).toBe(200);
    expect((await me(person, EMBEDDED)).status).toBe(401);
    expect(
      await db.select().from(auth_sessions).where(eq(auth_sessions.user_id, person.id)),
    ).toEqual([]);

    await runBatch(db, deleteSignInStatements(person.id, Date.now(), sql`1`));
    const again = await signInEmbedded({ email: person.email.toUpperCase() });
    const first = await me(again, EMBEDDED);
    expect(first.status).toBe(403);
    expect(await first.json()).toMatchObject({
      error: 'This account is suspended. Reason: Because of disable.',
    });
    expect((await me(again, EMBEDDED)).status).toBe(401);
    expect((await tab().auth.signInWithPassword(again)).error?.code).toBe('user_banned');
    expect(
      (await tab().auth.refreshSession({ refresh_token: again.refreshToken })).error,
    ).not.toBeNull();
    // Lifting the suspension of the new account also lifts that of the address.
    expect((await moderate('enable', again.id)).status).toBe(200);
    expect((await tab().auth.signInWithPassword(again)).error).toBeNull();
    expect(await db.select().from(address_standing)).toEqual([]);
  });

  it('a suspended user stays suspended after a change of email', async () => {
    const person = await makePerson();
    await moderate('disable', person.id);
    const renamed = await bearer({ sub: person.id, email: 'renamed@example.com' });
    expect((await me(renamed)).status).toBe(403);
    expect(await userRow(person.id)).toMatchObject({
      email: person.email,
      suspended_reason: 'Because of disable.',
    });
    await moderate('enable', person.id);
    expect((await me(renamed)).status).toBe(200);
    expect((await me(await bearer({ sub: crypto.randomUUID(), email: person.email }))).status).toBe(
      200,
    );
  });

  it('a suspended user cannot delete the account', async () => {
    const person = await makePerson();
    await shorten(person);
    await moderate('disable', person.id);
    expect((await remove(person)).status).toBe(403);
    expect(await linkStates(person.id)).toEqual(['disabled']);
  });

  it('a suspended user is listed, and both actions are recorded with reasons', async () => {
    const person = await makePerson();
    await shorten(person);
    const shown = async () => {
      const list = await call(`/api/admin?action=users&q=${person.id}`, { headers: admin.headers });
      return (await list.json<AdminUsersResponse>()).users[0]?.suspended;
    };
    expect(await (await moderate('disable', person.id)).json()).toEqual({
      success: true,
      links: 1,
    });
    expect(await shown()).toBe(true);
    expect(await (await moderate('enable', person.id)).json()).toEqual({ success: true, links: 1 });
    expect(await shown()).toBe(false);
    expect((await shorten(person)).status).toBe(201);
    const entries = await db
      .select()
      .from(admin_log)
      .where(eq(admin_log.subject, `user:${person.id}`))
      .orderBy(admin_log.id);
    expect(entries).toMatchObject([
      {
        action: 'suspend_user',
        before: '{"suspended":false}',
        after: '{"links":1}',
        reason: 'Because of disable.',
      },
      {
        action: 'lift_suspension',
        before: '{"suspended":true}',
        after: '{"links":1}',
        reason: 'Because of enable.',
      },
    ]);
  });
});

describe('concurrent actions', () => {
  it('suspends the user and the links, or nothing if the database fails', async () => {
    await interleave(async (outer, between) => {
      const person = await makePerson();
      await makeLinkOf(person);
      between(() => Promise.reject(new Error('D1_ERROR: overloaded')));
      await moderate('disable', person.id, admin, outer);
      const suspended = (await userRow(person.id))?.suspended_at !== null;
      expect(await linkStates(person.id)).toEqual([suspended ? 'disabled' : 'active']);
    });
  });

  it('[A6] holds or rejects a link that is created during the suspension', async () => {
    const steps = await interleave(async (outer, between) => {
      const person = await makePerson();
      let suspended = false;
      between(async () => void (suspended = (await moderate('disable', person.id)).ok));
      await shorten(person, outer);
      expect(await linkStates(person.id)).not.toContain(suspended ? 'active' : 'disabled');
    });
    expect(steps).toBeGreaterThan(3);
  });

  it('[A6] holds or rejects a link created between the steps of a suspension', async () => {
    const steps = await interleave(async (outer, between) => {
      const person = await makePerson();
      await makeLinkOf(person);
      const answers: Response[] = [];
      between(async () => answers.push(await shorten(person)));
      expect((await moderate('disable', person.id, admin, outer)).status).toBe(200);
      const states = await linkStates(person.id);
      expect(states.every((status) => status === 'disabled')).toBe(true);
      expect(states).toHaveLength(1 + answers.filter(({ status }) => status === 201).length);
    });
    expect(steps).toBeGreaterThan(4);
  });

  it.each(['disable', 'enable'] as const)(
    'holds match the stored state when %s meets its opposite',
    async (first) => {
      const second = first === 'disable' ? 'enable' : 'disable';
      await interleave(async (outer, between) => {
        const person = await makePerson();
        await makeLinkOf(person);
        if (first === 'enable') await moderate('disable', person.id);
        between(() => moderate(second, person.id));
        expect((await moderate(first, person.id, admin, outer)).status).toBe(200);
        const suspended = (await userRow(person.id))?.suspended_at !== null;
        expect(await linkStates(person.id)).toEqual([suspended ? 'disabled' : 'active']);
      });
    },
  );

  it('[A6] deletes or suspends an account, never half of each', async () => {
    const outcomes = new Set<number>();
    await interleave(async (outer, between) => {
      const person = await makePerson();
      await makeLinkOf(person);
      between(() => remove(person));
      const { status } = await moderate('disable', person.id, admin, outer);
      outcomes.add(status);
      const row = await userRow(person.id);
      expect(row === undefined ? 404 : 200).toBe(status);
      expect(await linkStates(person.id)).toEqual(row === undefined ? [] : ['disabled']);
    });
    expect(outcomes).toEqual(new Set([200, 404]));
    await interleave(async (outer, between) => {
      const person = await makePerson();
      await makeLinkOf(person);
      let suspended = false;
      between(async () => void (suspended = (await moderate('disable', person.id)).ok));
      expect((await remove(person, outer)).status).toBe(suspended ? 403 : 200);
      expect(await linkStates(person.id)).toEqual(suspended ? ['disabled'] : []);
    });
  });
});

describe('administrators', () => {
  it('administrators cannot suspend themselves or the last active administrator', async () => {
    expect((await moderate('disable', admin.id)).status).toBe(409);
    const second = await makePerson({ role: 'admin' });
    expect((await moderate('disable', second.id, second)).status).toBe(409);
    const both = await Promise.all([
      moderate('disable', second.id),
      moderate('disable', admin.id, second),
    ]);
    const able = (await db.select().from(users).where(eq(users.role, 'admin'))).filter(
      (row) => row.suspended_at === null,
    );
    expect(able).toHaveLength(1);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('suspended administrators do not count as remaining', async () => {
    const suspended = await makePerson({ role: 'admin' });
    expect((await moderate('disable', suspended.id)).status).toBe(200);
    expect((await me(suspended)).status).toBe(403);
    const demotion = { action: 'set_role', user_id: admin.id, role: 'user' };
    expect((await call('/api/admin', { json: demotion, headers: admin.headers })).status).toBe(409);
    expect((await remove(admin)).status).toBe(409);
    expect(await userRow(admin.id)).toMatchObject({ role: 'admin' });
  });
});

describe('links of a deleted account', () => {
  it('links of a deleted account are disabled and enabled by their label', async () => {
    const person = await makePerson();
    const { code } = await (await shorten(person)).json<{ code: string }>();
    await shorten(person);
    await makeLinkOf(person);
    expect((await remove(person)).status).toBe(200);
    const label = (await db.select().from(links).where(eq(links.code, code)).get())?.user_id ?? '';
    expect(await (await moderate('disable', label)).json()).toEqual({ success: true, links: 3 });
    expect((await call(`/${code}`)).status).toBe(410);
    expect(await (await moderate('enable', label)).json()).toEqual({ success: true, links: 3 });
    expect((await call(`/${code}`)).status).toBe(302);
    const entries = await db
      .select()
      .from(admin_log)
      .where(eq(admin_log.subject, `user:${label}`));
    expect(entries.map(({ action, after }) => [action, after])).toEqual([
      ['disable_links', '{"links":3}'],
      ['enable_links', '{"links":3}'],
    ]);
  });

  it('records how many links a suspension disables, without deleted ones', async () => {
    const person = await makePerson();
    await makeLinkOf(person);
    await makeLinkOf(person);
    const [first] = await db.select().from(links).where(eq(links.user_id, person.id));
    await db
      .update(links)
      .set({ status: 'deleted' })
      .where(eq(links.id, first?.id ?? 0));
    await moderate('disable', person.id);
    const entry = await db
      .select()
      .from(admin_log)
      .where(eq(admin_log.subject, `user:${person.id}`))
      .get();
    expect(entry?.after).toBe('{"links":1}');
  });

  it('links of an unknown label return 404 and record nothing', async () => {
    for (const id of [crypto.randomUUID(), `deleted-${crypto.randomUUID()}`]) {
      expect((await moderate('disable', id)).status).toBe(404);
      expect((await moderate('enable', id)).status).toBe(404);
      expect(
        await db
          .select()
          .from(admin_log)
          .where(eq(admin_log.subject, `user:${id}`)),
      ).toEqual([]);
    }
    for (const id of ['deleted-', 'deleted-x', `deleted-${crypto.randomUUID()}0`, 'unknown'])
      expect((await moderate('disable', id)).status).toBe(400);
  });
});
