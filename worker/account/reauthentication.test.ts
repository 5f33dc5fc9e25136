import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makeToken } from '#worker/testing/make.ts';
import { EMBEDDED, mailsTo, pressLink, signInEmbedded, tab } from '#worker/testing/sign-in.ts';

const BODY = { confirm: 'delete my account', links: 'remove' };
const remove = (
  headers: Record<string, string>,
  json: object = {},
  overrides: Partial<Env> = EMBEDDED,
) => call('/api/account', { method: 'DELETE', json: { ...BODY, ...json }, headers }, overrides);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const exists = (id: string) =>
  env.DB.prepare('SELECT 1 AS one FROM auth_users WHERE id = ?').bind(id).first();
afterEach(() => vi.restoreAllMocks());

describe('reauthentication for DELETE /api/account', () => {
  it('requires the current password and counts it like a sign-in', async () => {
    const { id, email, headers } = await signInEmbedded();
    const missing = await remove(headers);
    expect(missing.status).toBe(403);
    expect(await missing.json()).toMatchObject({
      code: 'reauthentication_required',
      field: 'currentPassword',
      error: 'Enter your current password, or a code from your email first.',
    });
    const wrong = await remove(headers, { currentPassword: 'wrong horse' });
    expect(await wrong.json()).toMatchObject({
      code: 'reauthentication_required',
      field: 'currentPassword',
      error: 'That is not your current password.',
    });
    for (let i = 0; i < 19; i += 1)
      expect((await remove(headers, { currentPassword: 'wrong horse' })).status).toBe(403);
    const locked = await remove(headers, { currentPassword: 'correct horse' });
    expect([locked.status, (await locked.json<{ code: string }>()).code]).toEqual([
      429,
      'rate_limited',
    ]);
    expect(Number(locked.headers.get('Retry-After'))).toBeGreaterThan(60);
    expect(
      (await tab().auth.signInWithPassword({ email, password: 'correct horse' })).error?.status,
    ).toBe(429);
    expect(await exists(id)).not.toBeNull();
  });

  it('accepts a mailed link of the last ten minutes, and notifies the owner', async () => {
    const { id, email } = await signInEmbedded();
    await tab().auth.resetPasswordForEmail(email);
    const { access_token } = await (
      await pressLink((await mailsTo(email))[0])
    ).json<{ access_token: string }>();
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 10 * 60_000 + 1_000);
    expect((await remove(bearer(access_token))).status).toBe(403);
    clock.mockImplementation(() => now + 9 * 60_000);
    expect((await remove(bearer(access_token))).status).toBe(200);
    expect(await exists(id)).toBeNull();
    const mails = await mailsTo(email);
    expect(mails.map(({ subject, link }) => [subject, link])).toEqual([
      ['Your Hop account was deleted', ''],
    ]);
    expect(mails[0]?.html).not.toContain('<a ');
  });

  it('tells nobody about a deletion that was refused', async () => {
    const { email, id, headers } = await signInEmbedded();
    await call('/api/me', { headers }, EMBEDDED);
    await env.DB.prepare("UPDATE users SET role = iif(id = ?1, 'admin', 'user')").bind(id).run();
    const answer = await remove(headers, { currentPassword: 'correct horse' });
    expect([answer.status, await mailsTo(email)]).toEqual([409, []]);
  });

  it('deletes the account even if the notice cannot be sent', async () => {
    const { id, headers } = await signInEmbedded();
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const answer = await remove(
      headers,
      { currentPassword: 'correct horse' },
      { ...EMBEDDED, DEV_MAILBOX: 'off', MAIL_FROM: '' },
    );
    expect(answer.status).toBe(200);
    expect(await exists(id)).toBeNull();
    expect(lines.join()).toContain('auth_mail_not_configured');
  });

  it('waits once five notices of a day were sent to an address', async () => {
    const email = 'again@example.com';
    const day = { AUTH_AUTOCONFIRM: 'on' };
    for (let i = 0; i < 6; i += 1) {
      const { data } = await tab(day).auth.signUp({ email, password: 'secret-1' });
      const answer = await remove(bearer(data.session?.access_token ?? ''), {
        currentPassword: 'secret-1',
      });
      expect(answer.status).toBe(i < 5 ? 200 : 429);
      if (i < 5) expect(await mailsTo(email)).toHaveLength(1);
    }
    expect((await tab().auth.signInWithPassword({ email, password: 'secret-1' })).error).toBeNull();
  });

  it('[A17] hosted: requires a sign-in within the last ten minutes', async () => {
    const id = crypto.randomUUID();
    const ask = async (amr: unknown) =>
      remove(bearer(await makeToken({ sub: id, email: 'a@example.com', amr })), {}, {});
    const ago = (minutes: number, method = 'password') => ({
      method,
      timestamp: Math.floor(Date.now() / 1000) - minutes * 60,
    });
    for (const amr of [undefined, [], [ago(11)], [ago(1, 'token_refresh'), ago(11)]]) {
      const answer = await ask(amr);
      expect(answer.status).toBe(403);
      const body = await answer.json<Record<string, unknown>>();
      expect(body).toMatchObject({
        code: 'reauthentication_required',
        error: 'Sign out, sign in again, and delete your account within ten minutes.',
      });
      expect(body).not.toHaveProperty('field');
    }
    expect((await ask([ago(9), ago(60)])).status).toBe(200);
  });
});
