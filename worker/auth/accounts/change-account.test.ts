import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { findKey } from '#worker/api-keys/find-key.ts';
import { makeKey } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import {
  EMBEDDED,
  linkIn,
  mailsTo,
  pressLink,
  signInEmbedded,
  tab,
  type KeptMail,
} from '#worker/testing/sign-in.ts';
import {
  findByEmail,
  findSession,
  replacePassword,
  updateAccount,
} from '#worker/auth/service/store.ts';
import { queueHash } from '#worker/auth/password/hash-queue.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { verifyRefreshToken } from '#worker/auth/tokens/refresh-token.ts';
import { beforeBatch } from '#worker/testing/faults.ts';

const db = openDb(env.DB);
const OLD = 'correct horse';
const NEW = 'another horse';
const signedInTab = async () => {
  const person = await signInEmbedded();
  const client = tab();
  await client.auth.signInWithPassword(person);
  return { ...person, client };
};
/** A client whose session started with a mailed link. */
const recoveredTab = async (email: string) => {
  await tab().auth.resetPasswordForEmail(email);
  const client = tab();
  const { token_hash } = linkIn((await mailsTo(email))[0]);
  expect((await client.auth.verifyOtp({ type: 'recovery', token_hash })).error).toBeNull();
  return client;
};
const codeOf = async (
  answer: Promise<{ error: { status?: number | undefined; code?: unknown } | null }>,
) => {
  const { error } = await answer;
  return error === null ? null : [error.status, error.code];
};
/** Returns 200 while the link of an email works. Does not use it up. */
const describeStatus = async (mail: KeptMail | undefined) => {
  const { type, token_hash } = linkIn(mail);
  return (await call('/api/auth/v1/verify/describe', { json: { type, token_hash } }, EMBEDDED))
    .status;
};
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
describe('changing the password', () => {
  it('a password change ends every other session and voids mailed links and codes', async () => {
    const { client, email, headers } = await signedInTab();
    await tab().auth.resetPasswordForEmail(email);
    const [mail] = await mailsTo(email);
    expect(await describeStatus(mail)).toBe(200);
    const weak = client.auth.updateUser({ password: '12345', current_password: OLD });
    expect(await codeOf(weak)).toEqual([422, 'weak_password']);
    const same = client.auth.updateUser({ password: OLD, current_password: OLD });
    expect(await codeOf(same)).toEqual([422, 'same_password']);
    const { data, error } = await client.auth.updateUser({
      password: NEW,
      current_password: OLD,
      data: { name: 'Ada' },
    });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toMatchObject({ name: 'Ada' });
    expect(data.user?.app_metadata).toMatchObject({ has_password: true });
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await call('/api/auth/v1/user', { headers }, EMBEDDED)).status).toBe(403);
    expect(await describeStatus(mail)).toBe(403);
    expect((await pressLink(mail)).status).toBe(403);
    const token = /code: (\d{6})/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(token).not.toBe('');
    expect(await codeOf(tab().auth.verifyOtp({ email, token, type: 'recovery' }))).toEqual([
      403,
      'otp_expired',
    ]);
    expect(await codeOf(tab().auth.signInWithPassword({ email, password: OLD }))).toEqual([
      400,
      'invalid_credentials',
    ]);
    expect((await tab().auth.signInWithPassword({ email, password: NEW })).error).toBeNull();
  });

  it('requires the correct current password', async () => {
    const { client, email } = await signedInTab();
    expect(await codeOf(client.auth.updateUser({ password: NEW }))).toEqual([
      400,
      'current_password_required',
    ]);
    const wrong = client.auth.updateUser({ password: NEW, current_password: 'wrong horse' });
    expect(await codeOf(wrong)).toEqual([400, 'current_password_invalid']);
    expect((await tab().auth.signInWithPassword({ email, password: OLD })).error).toBeNull();
    expect(await mailsTo(email)).toEqual([]);
  });

  it('wrong current passwords count together with failed sign-ins', async () => {
    const { headers, email } = await signInEmbedded();
    const put = (current_password: string) =>
      call(
        '/api/auth/v1/user',
        { method: 'PUT', json: { password: NEW, current_password }, headers },
        EMBEDDED,
      );
    const tries: number[] = [];
    for (let i = 0; i < 5; i += 1)
      tries.push(
        ...(await Promise.all(
          Array.from({ length: 5 }, async () => (await put('wrong horse')).status),
        )),
      );
    expect(tries.filter((status) => status === 400)).toHaveLength(20);
    const locked = await put(OLD);
    expect([locked.status, locked.headers.get('x-sb-error-code')]).toEqual([
      429,
      'over_request_rate_limit',
    ]);
    expect(Number(locked.headers.get('Retry-After'))).toBeGreaterThan(60);
    expect((await tab().auth.signInWithPassword({ email, password: OLD })).error?.status).toBe(429);
  });

  it('accepts a mailed link instead of the current password for ten minutes', async () => {
    const { email } = await signInEmbedded();
    const client = await recoveredTab(email);
    expect(await codeOf(client.auth.updateUser({ password: OLD }))).toEqual([422, 'same_password']);
    expect((await client.auth.updateUser({ password: NEW })).error).toBeNull();
    await client.auth.refreshSession();
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now + 10 * 60_000 + 1_000);
    expect(await codeOf(client.auth.updateUser({ password: OLD }))).toEqual([
      400,
      'current_password_required',
    ]);
  });

  it('needs a recent email to set the first password', async () => {
    const { client, email, id } = await signedInTab();
    await updateAccount(db, id, { password_hash: null });
    expect(await codeOf(client.auth.updateUser({ password: NEW }))).toEqual([
      400,
      'current_password_required',
    ]);
    const guess = client.auth.updateUser({ password: NEW, current_password: 'x' });
    expect(await codeOf(guess)).toEqual([400, 'current_password_invalid']);
    const recovered = await recoveredTab(email);
    expect((await recovered.auth.getUser()).data.user?.app_metadata).toMatchObject({
      has_password: false,
    });
    expect((await recovered.auth.updateUser({ password: NEW })).error).toBeNull();
  });

  it('the link in the notice returns the account to its owner', async () => {
    const { client, email, headers } = await signedInTab();
    await client.auth.updateUser({ password: NEW, current_password: OLD });
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toBe('Your Hop password was changed');
    expect(mail?.text).not.toMatch(/\b\d{6}\b/);
    const { type, token_hash } = linkIn(mail);
    expect(type).toBe('recovery');
    const json = { type, token_hash };
    const described = await call('/api/auth/v1/verify/describe', { json }, EMBEDDED);
    expect(await described.json()).toEqual({ type: 'secure', email, keeps_password: false });
    await tab().auth.resetPasswordForEmail(email);
    const [recovery] = await mailsTo(email);

    const owner = tab();
    const { data, error } = await owner.auth.verifyOtp({ type: 'recovery', token_hash });
    expect(error).toBeNull();
    expect(data.user?.app_metadata).toMatchObject({ has_password: false });
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await call('/api/me', { headers }, EMBEDDED)).status).toBe(401);
    expect((await tab().auth.signInWithPassword({ email, password: NEW })).error?.code).toBe(
      'invalid_credentials',
    );
    expect((await pressLink(recovery)).status).toBe(403);
    expect((await pressLink(mail)).status).toBe(403);
    expect((await owner.auth.updateUser({ password: 'my own horse' })).error).toBeNull();
    expect(
      (await tab().auth.signInWithPassword({ email, password: 'my own horse' })).error,
    ).toBeNull();
  });

  it('the link in the notice ends the API keys and webhooks of an intruder', async () => {
    const { client, email, id, headers } = await signedInTab();
    expect((await call('/api/me', { headers }, EMBEDDED)).status).toBe(200);
    const key = await makeKey({ person: { id, email, headers } });
    await env.DB.prepare('UPDATE auth_users SET proven_at = 1 WHERE id = ?1').bind(id).run();
    await env.DB.prepare(
      `INSERT INTO webhook_endpoints (id, user_id, url, description, events, salt, created_at)
       VALUES ('intruder', ?1, 'https://evil.example/', '', 'link.created', 's', 1)`,
    )
      .bind(id)
      .run();
    await client.auth.updateUser({ password: NEW, current_password: OLD });
    const { token_hash } = linkIn((await mailsTo(email))[0]);
    expect((await tab().auth.verifyOtp({ type: 'recovery', token_hash })).error).toBeNull();
    expect((await findKey(db, key.key.key, Date.now())).ok).toBe(false);
    const left = await env.DB.prepare('SELECT 1 FROM webhook_endpoints WHERE user_id = ?1')
      .bind(id)
      .all();
    expect(left.results).toEqual([]);
  });

  it('the link in the notice works for seven days', async () => {
    const { client, email } = await signedInTab();
    await client.auth.updateUser({ password: NEW, current_password: OLD });
    const { token_hash } = linkIn((await mailsTo(email))[0]);
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now');
    const describeAfter = async (ms: number) => {
      clock.mockImplementation(() => now + ms);
      return (
        await call(
          '/api/auth/v1/verify/describe',
          { json: { type: 'recovery', token_hash } },
          EMBEDDED,
        )
      ).status;
    };
    const week = 7 * 86_400_000;
    expect([await describeAfter(week - 60_000), await describeAfter(week + 60_000)]).toEqual([
      200, 403,
    ]);
  });

  it('changes nothing if the password was replaced at the same time', async () => {
    const { client, email, id, headers } = await signedInTab();
    const DB = beforeBatch(env.DB, async () => {
      await updateAccount(db, id, { password_hash: 'from elsewhere' });
    });
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    const answer = await call(
      '/api/auth/v1/user',
      {
        method: 'PUT',
        json: { password: NEW, current_password: OLD, data: { name: 'Eve' } },
        headers: { Authorization: `Bearer ${token}` },
      },
      { ...EMBEDDED, DB },
    );
    expect([answer.status, answer.headers.get('x-sb-error-code')]).toEqual([409, 'conflict']);
    const account = await findByEmail(db, email);
    expect(account?.password_hash).toBe('from elsewhere');
    expect(account?.user_metadata).not.toContain('Eve');
    expect((await call('/api/auth/v1/user', { headers }, EMBEDDED)).status).toBe(200);
    expect(await mailsTo(email)).toEqual([]);
  });

  it('changes nothing if the session has ended or the account is suspended', async () => {
    const { id, email, refreshToken } = await signInEmbedded();
    await updateAccount(db, id, { password_hash: null });
    const session = await findSession(
      db,
      verifyRefreshToken(env.AUTH_SECRET ?? '', refreshToken)?.sessionId ?? '',
    );
    if (session === undefined) throw new Error('The sign-in started no session.');
    const replace = (sessionId: string, now: number) =>
      replacePassword(db, {
        session: { ...session, id: sessionId },
        oldHash: null,
        columns: { password_hash: 'new' },
        notice: { user_id: id, kind: 'secure', token_hash: 'x', code_hash: '', expires_at: 1 },
        now,
      });
    await updateAccount(db, id, { banned_until: 1_000 });
    expect(await replace(session.id, 999)).toBeUndefined();
    expect(await replace(crypto.randomUUID(), 1_000)).toBeUndefined();
    expect((await findByEmail(db, email))?.password_hash).toBeNull();
    expect(await replace(session.id, 1_000)).toMatchObject({ password_hash: 'new' });
  });

  it('allows five changes a day, and more after a mailed link was used', async () => {
    const { headers, email } = await signInEmbedded();
    const change = (from: number) =>
      call(
        '/api/auth/v1/user',
        {
          method: 'PUT',
          json: {
            password: `horse ${from + 1}`,
            current_password: from === 0 ? OLD : `horse ${from}`,
          },
          headers,
        },
        EMBEDDED,
      );
    for (let i = 0; i < 5; i += 1) expect((await change(i)).status).toBe(200);
    const waits = await change(5);
    expect([waits.status, waits.headers.get('x-sb-error-code')]).toEqual([
      429,
      'over_request_rate_limit',
    ]);
    expect(await mailsTo(email)).toHaveLength(5);
    const owner = tab();
    const { token_hash } = linkIn((await mailsTo(email))[0]);
    await owner.auth.verifyOtp({ type: 'recovery', token_hash });
    expect((await owner.auth.updateUser({ password: NEW })).error).toBeNull();
  });

  it('loses none of the day’s changes while the server is busy', async () => {
    const { email } = await signInEmbedded();
    const client = await recoveredTab(email);
    stopClock();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = Array.from({ length: 9 }, () => queueHash(1, () => released));
    for (let i = 0; i < 5; i += 1)
      expect((await codeOf(client.auth.updateUser({ password: NEW })))?.[0]).toBe(429);
    release();
    await Promise.all(held);
    expect((await client.auth.updateUser({ password: NEW })).error).toBeNull();
  });

  it('logs a notice that cannot be sent and changes the password', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const { headers, email } = await signInEmbedded();
    const change = (password: string, current_password: string, overrides: Partial<Env>) =>
      call(
        '/api/auth/v1/user',
        { method: 'PUT', json: { password, current_password }, headers },
        { ...EMBEDDED, DEV_MAILBOX: 'off', ...overrides },
      );
    expect((await change(NEW, OLD, { MAIL_FROM: '' })).status).toBe(200);
    expect(lines.join()).toContain('auth_mail_not_configured');
    const EMAIL: SendEmail = { send: () => Promise.reject(new Error(`no route to ${email}`)) };
    expect((await change(OLD, NEW, { MAIL_FROM: 'hop@example.com', EMAIL })).status).toBe(200);
    expect(lines.join()).toContain('auth_mail_failed');
    expect(lines.join()).not.toContain(email);
  });
});
