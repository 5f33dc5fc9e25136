import { env } from 'cloudflare:test';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { isAccountSuspended } from '#worker/auth/sessions/session-state.ts';
import { findById, updateAccount } from '#worker/auth/service/store.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, signInEmbedded, tab } from '#worker/testing/sign-in.ts';

const MODERN = { 'X-Supabase-Api-Version': '2024-01-01' };
const user = (headers: Record<string, string>, init: RequestInit & { json?: unknown } = {}) =>
  call('/api/auth/v1/user', { ...init, headers: { ...MODERN, ...headers } }, EMBEDDED);
const signedInTab = async () => {
  const person = await signInEmbedded();
  const client = tab();
  await client.auth.signInWithPassword(person);
  return { ...person, client };
};
describe('GET and PUT /user, POST /logout', () => {
  it('GET /user returns the user', async () => {
    const { headers, id, email } = await signInEmbedded();
    const answer = await user(headers);
    expect(answer.status).toBe(200);
    const body: Record<string, unknown> = await answer.json();
    expect(body).toMatchObject({
      id,
      email,
      role: 'authenticated',
      last_sign_in_at: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain('scrypt');
  });

  it.each([
    [{}, 401, 'no_authorization', 'This endpoint requires a valid Bearer token'],
    [
      { Authorization: 'Basic abc' },
      401,
      'no_authorization',
      'This endpoint requires a valid Bearer token',
    ],
    [
      { Authorization: 'Bearer' },
      401,
      'no_authorization',
      'This endpoint requires a valid Bearer token',
    ],
    [
      { Authorization: 'Bearer sb_publishable_x' },
      403,
      'bad_jwt',
      /^invalid JWT: unable to parse or verify signature, /,
    ],
    [
      { Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
      403,
      'bad_jwt',
      /^invalid JWT: unable to parse or verify signature, /,
    ],
  ])('GET /user rejects %j', async (headers, status, code, message) => {
    const answer = await user(headers);
    expect(answer.status).toBe(status);
    const body: { code: string; message: string } = await answer.json();
    expect(body.code).toBe(code);
    expect(body.message).toMatch(message);
  });

  it('PUT /user merges metadata and leaves reserved members alone', async () => {
    const { client, id, email } = await signedInTab();
    await client.auth.updateUser({ data: { name: 'Ada', colour: 'red', role: 'admin' } });
    const reserved = {
      sub: 'x',
      email: 'x@example.com',
      email_verified: false,
      phone_verified: true,
      sign_up_secret: 'x',
    };
    const { data, error } = await client.auth.updateUser({ data: { colour: null, ...reserved } });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toEqual({
      name: 'Ada',
      role: 'admin',
      sub: id,
      email,
      email_verified: true,
      phone_verified: false,
    });
    expect(data.user?.role).toBe('authenticated');
  });

  it('PUT /user limits the merged metadata, and says when it changed', async () => {
    const { headers, id } = await signInEmbedded();
    await updateAccount(openDb(env.DB), id, { updated_at: 1 });
    const put = (data: unknown) => user(headers, { method: 'PUT', json: { data } });
    const first = await put({ one: 'x'.repeat(1_500) });
    const { updated_at } = await first.json<{ updated_at: string }>();
    expect(Date.parse(updated_at)).toBeGreaterThan(1);
    expect((await put({ two: 'x'.repeat(1_500) })).status).toBe(400);
    expect((await put({ one: null, two: 'x'.repeat(1_500) })).status).toBe(200);
  });

  it('PUT /user accepts the present address in any case, and changes nothing', async () => {
    const { headers, email } = await signInEmbedded();
    const before = await (await user(headers)).json();
    const json = { email: ` ${email.toUpperCase()} ` };
    const answer = await user(headers, { method: 'PUT', json });
    expect([answer.status, await answer.json()]).toEqual([200, before]);
  });

  it('PUT /user changes no app_metadata, role, id or address', async () => {
    const { client, headers } = await signedInTab();
    const before = await (await user(headers)).json();
    const answer = await user(headers, {
      method: 'PUT',
      json: { app_metadata: { role: 'admin' } },
    });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { code: 'not_admin', message: 'Updating app_metadata requires admin privileges' },
    ]);
    const json = {
      role: 'admin',
      id: 'x',
      email_confirmed_at: null,
      banned_until: null,
      confirmed_at: null,
      aud: 'x',
    };
    expect((await user(headers, { method: 'PUT', json })).status).toBe(200);
    expect((await client.auth.updateUser({ email: 'other@example.com' })).error?.status).toBe(422);
    expect(
      (await user(headers, { method: 'PUT', json: { data: { long: 'x'.repeat(3000) } } })).status,
    ).toBe(400);
    expect((await user(headers, { method: 'PUT', json: { data: [] } })).status).toBe(400);
    expect(await (await user(headers)).json()).toEqual(before);
  });

  it('updateUser without a session sends no request', async () => {
    expect((await tab().auth.updateUser({ password: 'x' })).error?.name).toBe(
      'AuthSessionMissingError',
    );
  });

  it('POST /logout ends this session, the others, or all', async () => {
    const person = await signInEmbedded();
    const tabs = [tab(), tab(), tab()] as const;
    for (const one of tabs) await one.auth.signInWithPassword(person);
    const active = async () =>
      Promise.all(tabs.map(async (one) => (await one.auth.getUser()).error === null));
    expect((await tabs[0].auth.signOut({ scope: 'local' })).error).toBeNull();
    expect(await active()).toEqual([false, true, true]);
    expect((await tabs[1].auth.signOut({ scope: 'others' })).error).toBeNull();
    expect(await active()).toEqual([false, true, false]);
    await tabs[2].auth.signInWithPassword(person);
    expect((await tabs[1].auth.signOut()).error).toBeNull();
    expect(await active()).toEqual([false, false, false]);
  });

  it('POST /logout needs neither body nor scope, and ends every session', async () => {
    const { headers, ...credentials } = await signInEmbedded();
    const other = tab();
    await other.auth.signInWithPassword(credentials);
    const logout = (query: string, sent: Record<string, string>) =>
      call(
        `/api/auth/v1/logout${query}`,
        { method: 'POST', headers: { ...MODERN, 'Content-Type': 'application/json', ...sent } },
        EMBEDDED,
      );
    expect((await logout('', {})).status).toBe(401);
    const bad = await logout('?scope=nonsense', headers);
    expect([bad.status, (await bad.json<{ code: string }>()).code]).toEqual([
      400,
      'validation_failed',
    ]);
    const answer = await logout('', headers);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    const again = await logout('', headers);
    expect([again.status, (await again.json<{ code: string }>()).code]).toEqual([
      403,
      'session_not_found',
    ]);
  });

  it('the API rejects the token of a signed-out session', async () => {
    const { headers, id } = await signInEmbedded();
    const me = async () => call('/api/me', { headers }, EMBEDDED);
    expect(await (await me()).json()).toMatchObject({ id });
    await call('/api/auth/v1/logout?scope=local', { json: {}, headers }, EMBEDDED);
    expect((await me()).status).toBe(401);
    const answer = await user(headers);
    expect(await answer.json()).toEqual({
      code: 'session_not_found',
      message: 'Session from session_id claim in JWT does not exist',
    });
  });

  it('GET and PUT /user reject a suspended account until the suspension ends', async () => {
    const { headers, id } = await signInEmbedded();
    const until = Date.now() + 3_600_000;
    await updateAccount(openDb(env.DB), id, { banned_until: until });
    for (const init of [{}, { method: 'PUT', json: { data: { name: 'Eve' } } }]) {
      const answer = await user(headers, init);
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { code: 'user_banned', message: 'This account is suspended.' },
      ]);
    }
    const account = await findById(openDb(env.DB), id);
    if (account === undefined) throw new Error('The account is gone.');
    expect(account.user_metadata).not.toContain('Eve');
    expect([isAccountSuspended(account, until - 1), isAccountSuspended(account, until)]).toEqual([
      true,
      false,
    ]);
  });

  it('a refreshed access token names the same session', async () => {
    const { client } = await signedInTab();
    const before = (await client.auth.getSession()).data.session?.access_token ?? '';
    const after = (await client.auth.refreshSession()).data.session?.access_token ?? '';
    expect(decodeJwt(after)['session_id']).toBe(decodeJwt(before)['session_id']);
  });
});
