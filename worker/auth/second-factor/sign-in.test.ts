import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { auth_pending_sign_ins, auth_users } from '#worker/db/schema-auth.ts';
import { call } from '#worker/testing/call.ts';
import { appCode } from '#worker/testing/app-code.ts';
import { askFactors, beginSignIn, signInWithApp } from '#worker/testing/second-factor.ts';
import { EMBEDDED, mailsTo, pressLink, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { completePending } from './factor-store.ts';

const MINUTE = 60_000;
const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
const statusOf = async (path: string, headers: Record<string, string>): Promise<number> =>
  (await call(path, { headers }, EMBEDDED)).status;
type Member = Awaited<ReturnType<typeof signInWithApp>>;
const verify = (member: Member, headers: Record<string, string>, code: string) =>
  askFactors(`/${member.factorId}/verify`, headers, { code });
const codeOf = async (response: Response): Promise<string> =>
  (await response.json<{ error_code?: string }>()).error_code ?? '';

beforeEach(async () => {
  stopClock();
  await env.DB.prepare('DELETE FROM counters').run();
});

describe('sign-in with a second factor', () => {
  it('[A24] waits for the code, which the unmodified client enters', async () => {
    const { email, password, secret } = await signInWithApp();
    const { auth } = tab();
    const { data } = await auth.signInWithPassword({ email, password });
    await env.DB.prepare('UPDATE auth_users SET last_sign_in_at = 1').run();
    const level = await auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    const factorId = data.user?.factors?.[0]?.id ?? '';
    const verified = await auth.mfa.challengeAndVerify({ factorId, code: appCode(secret) });
    expect(verified.error).toBeNull();
    expect(verified.data?.user.last_sign_in_at).toBe(new Date().toISOString());
    const after = await auth.mfa.getAuthenticatorAssuranceLevel();
    expect(after.data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
    expect((await auth.mfa.listFactors()).data?.totp).toHaveLength(1);
    expect((await auth.refreshSession()).error).toBeNull();
    expect((await auth.getSession()).data.session?.user.app_metadata['pending']).toBeUndefined();
  });

  it('[A24] gives a token that is good for nothing but the code', async () => {
    const member = await signInWithApp();
    const { headers, refreshToken, expiresIn } = await beginSignIn(member);
    expect(expiresIn).toBe(600);
    expect(await statusOf('/api/me', headers)).toBe(401);
    expect(await statusOf('/api/auth/v1/user', headers)).toBe(401);
    expect(await statusOf('/api/auth/v1/factors', headers)).toBe(401);
    const own = { factor_type: 'totp', current_password: member.password };
    expect((await askFactors('', headers, own)).status).toBe(401);
    expect((await askFactors('/recovery-codes', headers, own)).status).toBe(401);
    const off = await askFactors(`/${member.factorId}`, headers, own, { method: 'DELETE' });
    expect(off.status).toBe(401);
    const change = { password: 'another horse', current_password: member.password };
    const changed = await call(
      '/api/auth/v1/user',
      { method: 'PUT', json: change, headers },
      EMBEDDED,
    );
    expect(await codeOf(changed)).toBe('insufficient_aal');
    const refreshed = await call(
      '/api/auth/v1/token?grant_type=refresh_token',
      { json: { refresh_token: refreshToken } },
      EMBEDDED,
    );
    expect(await codeOf(refreshed)).toBe('refresh_token_not_found');
  });

  it('[A24] takes each code once, also in parallel, and none of an earlier step', async () => {
    const member = await signInWithApp();
    const waiting = [await beginSignIn(member), await beginSignIn(member)];
    const code = appCode(member.secret);
    const statuses = await Promise.all(
      waiting.map(async ({ headers }) => (await verify(member, headers, code)).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 422]);
    const { headers } = await beginSignIn(member);
    expect((await verify(member, headers, appCode(member.secret, -1))).status).toBe(422);
    expect((await verify(member, headers, appCode(member.secret, 1))).status).toBe(200);
    expect(await statusOf('/api/me', headers)).toBe(200);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const member = await signInWithApp();
    expect(new Set(member.codes).size).toBe(10);
    const first = member.codes[0] ?? '';
    const { headers } = await beginSignIn(member);
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ')}`;
    expect((await verify(member, headers, typed)).status).toBe(200);
    const again = await beginSignIn(member);
    expect((await verify(member, again.headers, first)).status).toBe(422);
  });

  it('[A24] locks codes after five wrong ones, and says for how long', async () => {
    const member = await signInWithApp();
    const { headers } = await beginSignIn(member);
    for (let i = 0; i < 5; i += 1)
      expect((await verify(member, headers, '000000')).status).toBe(422);
    const locked = await verify(member, headers, appCode(member.secret));
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('Retry-After'))).toBe(900);
    later(15 * MINUTE);
    const next = await beginSignIn(member);
    expect((await verify(member, next.headers, appCode(member.secret))).status).toBe(200);
  });

  it('[A24] a mailed link neither replaces the code nor clears its limit', async () => {
    const member = await signInWithApp();
    for (let i = 0; i < 5; i += 1) await verify(member, member.headers, '000000');
    await tab().auth.resetPasswordForEmail(member.email);
    const pressed = await pressLink((await mailsTo(member.email))[0]);
    const { access_token } = await pressed.json<{ access_token: string }>();
    const headers = { Authorization: `Bearer ${access_token}` };
    expect(await statusOf('/api/me', headers)).toBe(401);
    expect((await verify(member, headers, appCode(member.secret))).status).toBe(429);
    later(9 * MINUTE);
    await env.DB.prepare('DELETE FROM counters').run();
    expect((await verify(member, headers, appCode(member.secret))).status).toBe(200);
    expect(await statusOf('/api/me', headers)).toBe(200);
  });

  it('ends after ten minutes, and when the sessions of the account end', async () => {
    const member = await signInWithApp();
    const late = await beginSignIn(member);
    later(10 * MINUTE);
    expect((await verify(member, late.headers, appCode(member.secret))).status).toBe(403);
    const { headers } = member;
    for (const scope of ['others', 'global']) {
      const other = await beginSignIn(member);
      await call(`/api/auth/v1/logout?scope=${scope}`, { json: {}, headers }, EMBEDDED);
      const verified = await verify(member, other.headers, appCode(member.secret));
      expect(verified.status, scope).toBe(403);
    }
  });

  it('[A24] ends when the owner changes the password', async () => {
    const member = await signInWithApp();
    const thief = await beginSignIn(member);
    const json = { password: 'another horse', current_password: member.password };
    const { headers } = member;
    const changed = await call('/api/auth/v1/user', { method: 'PUT', json, headers }, EMBEDDED);
    expect(changed.status).toBe(200);
    expect((await verify(member, thief.headers, appCode(member.secret))).status).toBe(403);
  });

  it('[A24] the batch that finishes it refuses a suspended account', async () => {
    const member = await signInWithApp();
    await beginSignIn(member);
    const db = openDb(env.DB);
    const [pending] = await db
      .select()
      .from(auth_pending_sign_ins)
      .where(eq(auth_pending_sign_ins.user_id, member.id));
    if (pending === undefined) throw new Error('No sign-in waits.');
    await db.update(auth_users).set({ banned_until: 9e15 }).where(eq(auth_users.id, member.id));
    const { expires_at: _, ...begun } = pending;
    const rest = { counter: 0, refreshed_at: Date.now(), not_after: null, notice_hash: null };
    expect(await completePending(db, pending, { ...begun, ...rest })).toBeUndefined();
  });

  it('of an account without one is as before', async () => {
    const { email, password } = await signInEmbedded();
    const { auth } = tab();
    const { data } = await auth.signInWithPassword({ email, password });
    expect(data.user?.factors).toBeUndefined();
    const level = await auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
  });
});
