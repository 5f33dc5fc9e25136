import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson, makeToken } from '#worker/testing/make.ts';
import { EMBEDDED, mailsTo, pressLink, signInEmbedded, tab } from '#worker/testing/sign-in.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const me = async (headers: Record<string, string>, overrides: Partial<Env> = {}) => {
  const answer = await call('/api/me', { headers }, overrides);
  return { status: answer.status, body: await answer.json<Record<string, unknown>>() };
};
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const row = (id: string) =>
  env.DB.prepare('SELECT email, role, last_seen_at FROM users WHERE id = ?')
    .bind(id)
    .first<{ email: string; role: string; last_seen_at: number }>();

describe('identify', () => {
  it('identifies the caller by the token and ignores x-user-id', async () => {
    const [a, b] = [await makePerson(), await makePerson({ role: 'admin' })];
    const answer = await me({ ...a.headers, 'x-user-id': b.id, 'x-user-email': b.email });
    expect(answer.body).toMatchObject({ id: a.id, email: a.email, role: 'user' });
  });

  it('[T20] accepts only the scheme Bearer, in any case', async () => {
    const { headers } = await makePerson();
    const token = (headers['Authorization'] ?? '').slice(7);
    for (const header of ['', token, `Basic ${token}`, 'Bearer ', 'Bearer'])
      expect([(await me({ Authorization: header })).status, header.slice(0, 8)]).toEqual([
        401,
        header.slice(0, 8),
      ]);
    expect((await me({})).status).toBe(401);
    expect((await me({ Authorization: `bearer ${token}` })).status).toBe(200);
  });

  it('inserts the user once for ten parallel first requests', async () => {
    const id = crypto.randomUUID();
    const headers = bearer(await makeToken({ sub: id, email: 'First@Example.com' }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => me(headers)));
    expect(answers.every(({ status, body }) => status === 200 && body['role'] === 'user')).toBe(
      true,
    );
    expect(await row(id)).toMatchObject({ email: 'first@example.com', role: 'user' });
  });

  it('ignores user_metadata', async () => {
    const id = crypto.randomUUID();
    const claims = {
      sub: id,
      email: 'x@example.com',
      user_metadata: { role: 'admin', email: 'boss@example.com', email_verified: true },
    };
    expect(
      (await me(bearer(await makeToken(claims)), { ADMIN_EMAILS: 'boss@example.com' })).body,
    ).toMatchObject({
      role: 'user',
    });
  });

  it('reads the role on every request', async () => {
    const { id, headers } = await makePerson({ role: 'admin' });
    expect((await me(headers)).body).toMatchObject({ role: 'admin' });
    await env.DB.prepare("UPDATE users SET role = 'user' WHERE id = ?").bind(id).run();
    expect((await me(headers)).body).toMatchObject({ role: 'user' });
  });

  it('stores a changed email, and last_seen_at at most once an hour', async () => {
    const { id, headers } = await makePerson({ now: 1_000 });
    await me(headers);
    const seen = (await row(id))?.last_seen_at ?? 0;
    expect(seen).toBeGreaterThan(1_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await me(headers);
    expect((await row(id))?.last_seen_at).toBe(seen);
    await me(bearer(await makeToken({ sub: id, email: 'new@example.com' })));
    expect((await row(id))?.email).toBe('new@example.com');
  });

  it('embedded: applies ADMIN_EMAILS once the address is confirmed', async () => {
    const person = await signInEmbedded();
    const admins = {
      ...EMBEDDED,
      ADMIN_EMAILS: ` other@example.com, ${person.email.toUpperCase()} `,
    };
    await env.DB.prepare('UPDATE auth_users SET proven_at = NULL WHERE id = ?')
      .bind(person.id)
      .run();
    expect((await me(person.headers, admins)).body).toMatchObject({ role: 'user' });
    await env.DB.prepare('UPDATE auth_users SET proven_at = 1 WHERE id = ?').bind(person.id).run();
    expect((await me(person.headers, EMBEDDED)).body).toMatchObject({ role: 'user' });
    expect((await me(person.headers, admins)).body).toMatchObject({ role: 'admin' });
    // Removing the address from the list demotes nobody.
    expect((await me(person.headers, EMBEDDED)).body).toMatchObject({ role: 'admin' });
  });

  it('embedded: makes a listed address an administrator after its mail is confirmed', async () => {
    const email = 'boss@example.com';
    const admins = { ...EMBEDDED, ADMIN_EMAILS: ` other@example.com, Boss@Example.com ` };
    await tab().auth.signUp({ email, password: 'secret-1' });
    const { access_token } = await (
      await pressLink((await mailsTo(email))[0])
    ).json<{ access_token: string }>();
    expect((await me(bearer(access_token), admins)).body).toMatchObject({ email, role: 'admin' });
  });

  it('embedded: ignores ADMIN_EMAILS for an address that autoconfirm accepted', async () => {
    const email = 'chief@example.com';
    const { data } = await tab({ AUTH_AUTOCONFIRM: 'on' }).auth.signUp({
      email,
      password: 'secret-1',
    });
    const headers = bearer(data.session?.access_token ?? '');
    expect((await me(headers, { ...EMBEDDED, ADMIN_EMAILS: email })).body).toMatchObject({
      role: 'user',
    });
  });

  it('embedded: rejects tokens of the hosted service and of another secret', async () => {
    const person = await signInEmbedded();
    expect((await me(person.headers)).status).toBe(401);
    expect((await me(bearer(await makeToken({ sub: crypto.randomUUID() })), EMBEDDED)).status).toBe(
      401,
    );
    expect(
      (await me(person.headers, { ...EMBEDDED, AUTH_SECRET: 'another secret with 32 characters.' }))
        .status,
    ).toBe(401);
    const elsewhere = { ...EMBEDDED, APP_ORIGIN: 'https://hop.example' };
    expect((await me(person.headers, elsewhere)).status).toBe(401);
  });

  it('embedded: rejects the token of a banned account', async () => {
    const person = await signInEmbedded();
    expect((await me(person.headers, EMBEDDED)).status).toBe(200);
    await env.DB.prepare('UPDATE auth_users SET banned_until = ? WHERE id = ?')
      .bind(Date.now() + 60_000, person.id)
      .run();
    expect((await me(person.headers, EMBEDDED)).status).toBe(401);
  });

  it('hosted: asks the service whether a listed address is confirmed', async () => {
    const email = 'owner@example.com';
    const ask = async (user: unknown, status = 200) => {
      const id = crypto.randomUUID();
      const token = await makeToken({ sub: id, email });
      const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
        expect(new Request(input).url).toBe(`${env.SUPABASE_URL}/auth/v1/user`);
        expect(new Headers(init?.headers).get('Authorization')).toBe(`Bearer ${token}`);
        return Response.json(typeof user === 'function' ? user(id) : user, { status });
      });
      const answer = await me(bearer(token), { ADMIN_EMAILS: email });
      expect(fetched).toHaveBeenCalledTimes(1);
      vi.restoreAllMocks();
      return { id, ...answer };
    };
    const good = (id: string) => ({ id, email, email_confirmed_at: '2026-01-01T00:00:00Z' });
    expect((await ask(good)).body).toMatchObject({ role: 'admin' });
    expect(
      (await ask((id: string) => ({ ...good(id), email_confirmed_at: null }))).body,
    ).toMatchObject({ role: 'user' });
    expect(
      (await ask((id: string) => ({ ...good(id), email: 'x@example.com' }))).body,
    ).toMatchObject({ role: 'user' });
    expect((await ask(good(crypto.randomUUID()))).body).toMatchObject({ role: 'user' });
    expect((await ask({}, 401)).body).toMatchObject({ role: 'user' });
    // After an outage, the next request asks again.
    const outage = await ask({}, 503);
    expect(outage.status).toBe(503);
    expect(await row(outage.id)).toMatchObject({ role: 'user' });
  });

  it('a user without an email is never listed, whatever ADMIN_EMAILS contains', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    for (const ADMIN_EMAILS of ['', ',', ' , boss@example.com']) {
      const headers = bearer(await makeToken({ sub: crypto.randomUUID(), email: '' }));
      expect((await me(headers, { ADMIN_EMAILS })).body).toMatchObject({ email: '', role: 'user' });
    }
    expect(fetched).not.toHaveBeenCalled();
  });

  it('hosted: asks nothing for an address that is not listed', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const { headers } = await makePerson();
    await me(headers, { ADMIN_EMAILS: 'owner@example.com' });
    await me(bearer(await makeToken({ sub: crypto.randomUUID(), email: 'a@example.com' })), {
      ADMIN_EMAILS: 'owner@example.com',
    });
    expect(fetched).not.toHaveBeenCalled();
  });
});
