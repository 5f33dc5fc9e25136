import { env } from 'cloudflare:test';
import { decodeJwt } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { FINGERPRINT, logLines } from '#worker/testing/log-lines.ts';
import { EMBEDDED, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { verifyRefreshToken, signRefreshToken } from '#worker/auth/tokens/refresh-token.ts';
import { findSession } from '#worker/auth/service/store.ts';
import { d1Down } from '#worker/testing/faults.ts';

const SECRET = env.AUTH_SECRET ?? '';
const refresh = async (token: unknown, overrides: Partial<Env> = {}) => {
  const answer = await call(
    '/api/auth/v1/token?grant_type=refresh_token',
    { json: { refresh_token: token }, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
    { ...EMBEDDED, ...overrides },
  );
  const body: { refresh_token: string; access_token: string; code: string; message: string } =
    await answer.json();
  return { status: answer.status, ...body };
};
const sessionOf = (token: string) =>
  findSession(openDb(env.DB), verifyRefreshToken(SECRET, token)?.sessionId ?? '');
const LATER = { AUTH_REFRESH_REUSE_SECONDS: '0' };
describe('refreshing a session', () => {
  it('a refresh returns new tokens of the same session', async () => {
    const { email, password } = await signInEmbedded();
    const client = tab();
    const before = await client.auth.signInWithPassword({ email, password });
    const after = await client.auth.refreshSession();
    expect(after.error).toBeNull();
    expect(after.data.session?.refresh_token).not.toBe(before.data.session?.refresh_token);
    const claims = [before, after].map(({ data }) => decodeJwt(data.session?.access_token ?? ''));
    expect(claims[1]?.['session_id']).toBe(claims[0]?.['session_id']);
    expect(claims[1]?.['amr']).toEqual(claims[0]?.['amr']);
  });

  it('parallel tabs get the same token', async () => {
    const { refreshToken } = await signInEmbedded();
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(refreshToken)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1);
  });

  it('a token one step behind returns the current one for a minute after the refresh', async () => {
    stopClock();
    const { refreshToken } = await signInEmbedded();
    const next = await refresh(refreshToken);
    vi.advanceTimersByTime(MINUTE_MS - 1);
    expect(await refresh(refreshToken)).toMatchObject({
      status: 200,
      refresh_token: next.refresh_token,
    });
  });

  it('[T59] a copied token one step behind ends the session after a minute, and is logged', async () => {
    stopClock();
    const { refreshToken, headers, email } = await signInEmbedded();
    vi.advanceTimersByTime(30 * MINUTE_MS);
    const current = await refresh(refreshToken);
    vi.advanceTimersByTime(MINUTE_MS);
    const lines = logLines();
    expect(await refresh(refreshToken)).toMatchObject({
      status: 400,
      code: 'refresh_token_already_used',
    });
    expect(lines()).toEqual([
      {
        event: 'auth_refresh_token_reused',
        account: FINGERPRINT,
        network: FINGERPRINT,
        steps: 1,
        refreshed_before_s: 60,
      },
    ]);
    expect(JSON.stringify(lines())).not.toContain(email);
    expect(await refresh(current.refresh_token)).toMatchObject({
      status: 400,
      code: 'refresh_token_not_found',
    });
    for (const session of [headers, { Authorization: `Bearer ${current.access_token}` }])
      expect((await call('/api/me', { headers: session }, EMBEDDED)).status).toBe(401);
  });

  it('an older token returns the current one within the reuse interval', async () => {
    stopClock();
    const { refreshToken } = await signInEmbedded();
    const current = await refresh((await refresh(refreshToken)).refresh_token);
    expect(await refresh(refreshToken)).toMatchObject({
      status: 200,
      refresh_token: current.refresh_token,
    });
  });

  it('an older token ends only this session after the reuse interval', async () => {
    const person = await signInEmbedded();
    const other = tab();
    await other.auth.signInWithPassword(person);
    const current = await refresh((await refresh(person.refreshToken)).refresh_token);
    expect(await refresh(person.refreshToken, LATER)).toMatchObject({
      status: 400,
      code: 'refresh_token_already_used',
      message: 'Invalid Refresh Token: Already Used',
    });
    expect(await sessionOf(person.refreshToken)).toBeUndefined();
    expect(await refresh(current.refresh_token)).toMatchObject({
      status: 400,
      code: 'refresh_token_not_found',
      message: 'Invalid Refresh Token: Refresh Token Not Found',
    });
    expect((await other.auth.refreshSession()).error).toBeNull();
  });

  it('rejects a counter ahead of the session', async () => {
    const { refreshToken } = await signInEmbedded();
    const sessionId = verifyRefreshToken(SECRET, refreshToken)?.sessionId ?? '';
    const answer = await refresh(signRefreshToken(SECRET, sessionId, 7));
    expect(answer).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: 'Refresh token is not valid',
    });
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it.each(['', null, 'x', 'not a token at all', 'A'.repeat(5000), '__8'])(
    'rejects %j',
    async (token) => {
      expect(await refresh(token)).toMatchObject({
        status: 400,
        code: 'validation_failed',
        message: 'Refresh token is not valid',
      });
    },
  );

  it('a token in the first format is not found', async () => {
    expect(await refresh('abcdefghij12')).toMatchObject({
      status: 400,
      code: 'refresh_token_not_found',
    });
  });

  it('a signed-out session is not refreshed', async () => {
    const { email, password } = await signInEmbedded();
    const client = tab();
    await client.auth.signInWithPassword({ email, password });
    const stolen = (await client.auth.getSession()).data.session?.refresh_token ?? '';
    await client.auth.signOut();
    expect(await refresh(stolen)).toMatchObject({ status: 400, code: 'refresh_token_not_found' });
  });

  it('a suspended account’s session is not refreshed, and its token is not used up', async () => {
    const { id, refreshToken } = await signInEmbedded();
    const suspend = (until: number | null) =>
      env.DB.prepare('UPDATE auth_users SET banned_until = ? WHERE id = ?').bind(until, id).run();
    const before = await sessionOf(refreshToken);
    await suspend(Date.now() + 60_000);
    for (let i = 0; i < 3; i += 1)
      expect(await refresh(refreshToken, LATER)).toMatchObject({
        status: 400,
        code: 'user_banned',
        message: 'This account is suspended.',
      });
    expect(await sessionOf(refreshToken)).toEqual(before);
    await suspend(null);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it('rejects a session past its end', async () => {
    const { refreshToken } = await signInEmbedded();
    await env.DB.prepare('UPDATE auth_sessions SET not_after = 1 WHERE id = ?')
      .bind(verifyRefreshToken(SECRET, refreshToken)?.sessionId)
      .run();
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, code: 'session_expired' });
  });

  it.each([
    [90, {}],
    [90, { AUTH_SESSION_MAX_DAYS: '365' }],
    [90, { AUTH_SESSION_MAX_DAYS: 'none' }],
    [7, { AUTH_SESSION_MAX_DAYS: '7' }],
  ])(
    '[T59] a session ends %i days after its sign-in, however much it is used (%j)',
    async (days, settings) => {
      stopClock();
      const { id, refreshToken } = await signInEmbedded();
      const overrides = { ...EMBEDDED, ...settings };
      const use = async (token: string) =>
        (await call('/api/me', { headers: { Authorization: `Bearer ${token}` } }, overrides))
          .status;
      const startedAt = Date.now() - days * DAY_MS + MINUTE_MS;
      await env.DB.prepare(
        'UPDATE auth_sessions SET created_at = ?1, refreshed_at = ?2 WHERE user_id = ?3',
      )
        .bind(startedAt, Date.now() - HOUR_MS, id)
        .run();
      const last = await refresh(refreshToken, settings);
      expect([last.status, await use(last.access_token)]).toEqual([200, 200]);
      vi.advanceTimersByTime(MINUTE_MS);
      expect(await refresh(last.refresh_token, settings)).toMatchObject({
        status: 400,
        code: 'session_expired',
      });
      expect(await use(last.access_token)).toBe(401);
      const account = { headers: { Authorization: `Bearer ${last.access_token}` } };
      expect((await call('/api/auth/v1/user', account, overrides)).status).toBe(403);
    },
  );

  it('answers 5xx when the database fails, so that nobody is signed out', async () => {
    const { refreshToken } = await signInEmbedded();
    const DB = d1Down(env.DB);
    expect((await refresh(refreshToken, { DB })).status).toBeGreaterThanOrEqual(500);
    expect((await refresh(refreshToken)).status).toBe(200);
  });
});
