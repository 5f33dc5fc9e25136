import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
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

test('the token says who it is; headers that claim another do not', async () => {
  const [a, b] = [await makePerson(), await makePerson({ role: 'admin' })];
  const answer = await me({ ...a.headers, 'x-user-id': b.id, 'x-user-email': b.email });
  expect(answer.body).toMatchObject({ id: a.id, email: a.email, role: 'user' });
});

test('the scheme is Bearer, exactly', async () => {
  const { headers } = await makePerson();
  const token = (headers['Authorization'] ?? '').slice(7);
  for (const header of ['', token, `bearer ${token}`, `Basic ${token}`, 'Bearer ', 'Bearer'])
    expect([(await me({ Authorization: header })).status, header.slice(0, 8)]).toEqual([401, header.slice(0, 8)]);
  expect((await me({})).status).toBe(401);
});

test('the first verified request makes the row, once, also when ten come at once', async () => {
  const id = crypto.randomUUID();
  const headers = bearer(await makeToken({ sub: id, email: 'First@Example.com' }));
  const answers = await Promise.all(Array.from({ length: 10 }, () => me(headers)));
  expect(answers.every(({ status, body }) => status === 200 && body['role'] === 'user')).toBe(true);
  expect(await row(id)).toMatchObject({ email: 'first@example.com', role: 'user' });
});

test('nothing of user_metadata counts', async () => {
  const id = crypto.randomUUID();
  const claims = {
    sub: id,
    email: 'x@example.com',
    user_metadata: { role: 'admin', email: 'boss@example.com', email_verified: true },
  };
  expect((await me(bearer(await makeToken(claims)), { ADMIN_EMAILS: 'boss@example.com' })).body).toMatchObject({ role: 'user' });
});

test('the role is read at every request', async () => {
  const { id, headers } = await makePerson({ role: 'admin' });
  expect((await me(headers)).body).toMatchObject({ role: 'admin' });
  await env.DB.prepare("UPDATE users SET role = 'user' WHERE id = ?").bind(id).run();
  expect((await me(headers)).body).toMatchObject({ role: 'user' });
});

test('an address that changed is taken over; last_seen_at moves at most hourly', async () => {
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

test('embedded: an address in ADMIN_EMAILS makes an administrator after its mail was answered', async () => {
  const email = 'boss@example.com';
  const admins = { ...EMBEDDED, ADMIN_EMAILS: ` other@example.com, Boss@Example.com ` };
  await tab().auth.signUp({ email, password: 'secret-1' });
  const { access_token } = await (await pressLink((await mailsTo(email))[0])).json<{ access_token: string }>();
  expect((await me(bearer(access_token), admins)).body).toMatchObject({ email, role: 'admin' });
});

test('embedded: with autoconfirm nobody has proven an address, so nobody becomes an administrator by it', async () => {
  const email = 'chief@example.com';
  const { data } = await tab({ AUTH_AUTOCONFIRM: 'on' }).auth.signUp({ email, password: 'secret-1' });
  const headers = bearer(data.session?.access_token ?? '');
  expect((await me(headers, { ...EMBEDDED, ADMIN_EMAILS: email })).body).toMatchObject({ role: 'user' });
});

test('embedded: tokens of the hosted service and of another secret are refused, and the other way round', async () => {
  const person = await signInEmbedded();
  expect((await me(person.headers)).status).toBe(401);
  expect((await me(bearer(await makeToken({ sub: crypto.randomUUID() })), EMBEDDED)).status).toBe(401);
  expect((await me(person.headers, { ...EMBEDDED, AUTH_SECRET: 'quite another secret of the test' })).status).toBe(401);
  const elsewhere = { ...EMBEDDED, APP_ORIGIN: 'https://hop.example' };
  expect((await me(person.headers, elsewhere)).status).toBe(401);
});

test('embedded: a banned account is out at once', async () => {
  const person = await signInEmbedded();
  expect((await me(person.headers, EMBEDDED)).status).toBe(200);
  await env.DB.prepare('UPDATE auth_users SET banned_until = ? WHERE id = ?')
    .bind(Date.now() + 60_000, person.id)
    .run();
  expect((await me(person.headers, EMBEDDED)).status).toBe(401);
});

test('hosted: the service’s word decides whether an administrator’s address is confirmed', async () => {
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
  expect((await ask((id: string) => ({ ...good(id), email_confirmed_at: null }))).body).toMatchObject({ role: 'user' });
  expect((await ask((id: string) => ({ ...good(id), email: 'x@example.com' }))).body).toMatchObject({ role: 'user' });
  expect((await ask(good(crypto.randomUUID()))).body).toMatchObject({ role: 'user' });
  // An outage decides nothing: no row is made, the next request asks again.
  const outage = await ask({}, 503);
  expect(outage.status).toBe(503);
  expect(await row(outage.id)).toBeNull();
});

test('hosted: nobody is asked for an address that makes no administrator', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const { headers } = await makePerson();
  await me(headers, { ADMIN_EMAILS: 'owner@example.com' });
  await me(bearer(await makeToken({ sub: crypto.randomUUID(), email: 'a@example.com' })), { ADMIN_EMAILS: 'owner@example.com' });
  expect(fetched).not.toHaveBeenCalled();
});
