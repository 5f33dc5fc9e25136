import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Me } from '#contract/account/account.ts';
import { call } from '#worker/testing/call.ts';
import { appCode, secretBytes } from '#worker/testing/app-code.ts';
import { GRANT, queryFor, registerApp } from '#worker/testing/oauth.ts';
import { makeAuthenticator, passkeyCalls } from '#worker/testing/passkey.ts';
import { askFactors, beginSignIn, signInWithApp } from '#worker/testing/second-factor.ts';
import { EMBEDDED, mailsTo, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { hashRecoveryCode } from './recovery-codes.ts';

const MINUTE = 60_000;
const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
type Headers = Record<string, string>;
const statusOf = async (path: string, headers: Headers): Promise<number> =>
  (await call(path, { headers }, EMBEDDED)).status;
const codeOf = async (response: Response): Promise<string> => {
  const body = await response.json<{ error_code?: string; code?: string }>();
  return body.error_code ?? body.code ?? '';
};
const SETUP = { factor_type: 'totp', current_password: 'correct horse' };
const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);

beforeEach(async () => {
  stopClock();
  await env.DB.prepare('DELETE FROM counters').run();
});

describe('an authenticator app', () => {
  it('an app counts once it has proven a code, and needs the password', async () => {
    const member = await signInEmbedded();
    const other = await beginSignIn(member);
    const unproven = await askFactors('', member.headers, { factor_type: 'totp' });
    expect(await codeOf(unproven)).toBe('current_password_required');
    const begun = await askFactors('', member.headers, SETUP);
    const { id, totp } = await begun.json<{
      id: string;
      totp: { secret: string; uri: string };
    }>();
    expect(totp.uri).toContain(totp.secret);
    // A recovery code of an app that was removed otherwise proves nothing about this one.
    const left = 'ABCD-EFGH-IJKL-MNOP';
    await env.DB.prepare('INSERT INTO auth_recovery_codes (user_id, code_hash) VALUES (?1, ?2)')
      .bind(member.id, hashRecoveryCode(left))
      .run();
    const verify = (code: string) => askFactors(`/${id}/verify`, member.headers, { code });
    expect((await verify(left)).status).toBe(422);
    expect((await tab().auth.signInWithPassword(member)).data.user?.factors).toBeUndefined();
    expect((await verify('000000')).status).toBe(422);
    const notices = (query: string) => env.DB.prepare(query).bind(member.id);
    await notices(
      `INSERT INTO auth_one_time_tokens (user_id, kind, token_hash, code_hash, expires_at)
        VALUES (?1, 'secure', 'of an earlier notice', '', 9e15)`,
    ).run();
    expect((await verify(appCode(totp.secret))).status).toBe(200);
    const { results } = await notices(
      "SELECT token_hash FROM auth_one_time_tokens WHERE user_id = ?1 AND kind = 'secure'",
    ).all();
    expect(results).toEqual([{ token_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    const codes = await askFactors('', member.headers, undefined, { method: 'GET' });
    expect(await codes.json()).toMatchObject({ factor: { recovery_codes: 0 } });
    expect(await statusOf('/api/me', member.headers)).toBe(200);
    expect(await statusOf('/api/me', other.headers)).toBe(401);
    expect((await subjectsTo(member.email))[0]).toMatch(/authenticator app was added/);
    const stored = env.DB.prepare('SELECT totp_secret FROM auth_users WHERE id = ?1');
    const sealed = Buffer.from((await stored.bind(member.id).first('totp_secret')) ?? '', 'base64');
    expect(sealed.length).toBeGreaterThan(20);
    expect(sealed.toString('latin1')).not.toContain(secretBytes(totp.secret).toString('base64'));
    const again = await askFactors('', member.headers, SETUP);
    expect(await codeOf(again)).toBe('mfa_verified_factor_exists');
  });

  it('an app is removed with the password and a code, and the recovery codes with it', async () => {
    const member = await signInWithApp();
    const { factorId, headers, secret, password } = member;
    const off = () =>
      askFactors(`/${factorId}`, headers, { current_password: password }, { method: 'DELETE' });
    const noPassword = await askFactors(`/${factorId}`, headers, {}, { method: 'DELETE' });
    expect(await codeOf(noPassword)).toBe('current_password_required');
    later(10 * MINUTE);
    expect(await codeOf(await off())).toBe('second_factor_required');
    await askFactors(`/${factorId}/verify`, headers, { code: appCode(secret) });
    expect((await off()).status).toBe(200);
    expect((await subjectsTo(member.email))[0]).toMatch(/no longer asks for a code/);
    expect((await tab().auth.signInWithPassword(member)).data.user?.factors).toBeUndefined();
    const left = env.DB.prepare('SELECT 1 FROM auth_recovery_codes WHERE user_id = ?1');
    expect(await left.bind(member.id).first()).toBeNull();
  });

  it('gets new recovery codes, which end the former ones', async () => {
    const member = await signInWithApp();
    const { headers, password, factorId } = member;
    const renewed = await askFactors('/recovery-codes', headers, { current_password: password });
    const { recovery_codes: codes } = await renewed.json<{ recovery_codes: string[] }>();
    const status = await askFactors('', headers, undefined, { method: 'GET' });
    expect(await status.json()).toMatchObject({ factor: { recovery_codes: 10 }, reset_at: null });
    const verify = (code = '') => askFactors(`/${factorId}/verify`, headers, { code });
    expect((await verify(member.codes[1])).status).toBe(422);
    expect((await verify(codes[1])).status).toBe(200);
    expect((await subjectsTo(member.email))[0]).toMatch(/new recovery codes/);
  });

  it('the first recovery codes come with a mail once the app is ten minutes old', async () => {
    const { id, email, headers, password, factorId, secret } = await signInWithApp();
    const isTold = async () => {
      await env.DB.prepare('DELETE FROM auth_recovery_codes WHERE user_id = ?1').bind(id).run();
      await askFactors('/recovery-codes', headers, { current_password: password });
      return /new recovery codes/.test((await subjectsTo(email))[0] ?? '');
    };
    expect(await isTold()).toBe(false);
    later(10 * MINUTE);
    await askFactors(`/${factorId}/verify`, headers, { code: appCode(secret) });
    expect(await isTold()).toBe(true);
  });

  it('must have shown a code within ten minutes for what is sensitive', async () => {
    const { headers, password, secret, factorId, id } = await signInWithApp();
    const key = { name: 'CI', scopes: ['links:read'] };
    const attempts = {
      'a new key': () => call('/api/keys', { json: key, headers }, EMBEDDED),
      'a connected app': async () => {
        const json = { ...queryFor(await registerApp()), ...GRANT };
        return call('/api/oauth/authorize', { json, headers }, EMBEDDED);
      },
      'an export': () => call('/api/account/export', { headers }, EMBEDDED),
      'a new password': () =>
        call(
          '/api/auth/v1/user',
          {
            method: 'PUT',
            headers,
            json: { password: 'another horse', current_password: password },
          },
          EMBEDDED,
        ),
      'the deletion of the account': () =>
        call(
          '/api/account',
          {
            method: 'DELETE',
            headers,
            json: {
              confirm: 'delete my account',
              links: 'keep',
              currentPassword: 'another horse',
            },
          },
          EMBEDDED,
        ),
    };
    await call('/api/me', { headers }, EMBEDDED);
    later(10 * MINUTE);
    const rotate = `/api/keys/${crypto.randomUUID()}/rotate`;
    const rotated = await call(rotate, { json: { overlapHours: 0 }, headers }, EMBEDDED);
    expect(await codeOf(rotated)).toBe('second_factor_required');
    const json = { confirm: 'delete my account', links: 'keep', currentPassword: password };
    const deleted = await call('/api/account', { method: 'DELETE', json, headers }, EMBEDDED);
    expect(await codeOf(deleted)).toBe('second_factor_required');
    for (const [what, attempt] of Object.entries(attempts)) {
      if (what === 'the deletion of the account') continue;
      expect(await codeOf(await attempt()), what).toBe('second_factor_required');
    }
    await askFactors(`/${factorId}/verify`, headers, { code: appCode(secret) });
    for (const [what, attempt] of Object.entries(attempts))
      expect((await attempt()).ok, what).toBe(true);
    for (const table of ['auth_recovery_codes', 'auth_pending_sign_ins']) {
      const rows = env.DB.prepare(`SELECT 1 FROM ${table} WHERE user_id = ?1`).bind(id);
      expect(await rows.first(), table).toBeNull();
    }
  });

  it('whose code follows a passkey leaves the proof by the passkey', async () => {
    const { headers, password, factorId, secret } = await signInWithApp();
    const authenticator = await makeAuthenticator();
    const own = passkeyCalls(headers);
    expect((await own.add(authenticator, password)).status).toBe(200);
    expect((await own.prove(authenticator)).status).toBe(200);
    const verified = await askFactors(`/${factorId}/verify`, headers, { code: appCode(secret) });
    expect(verified.status).toBe(200);
    const json = { password: 'another horse' };
    const changed = await call('/api/auth/v1/user', { method: 'PUT', json, headers }, EMBEDDED);
    expect(changed.status).toBe(200);
  });

  it('whose secret another AUTH_SECRET encrypted leaves the recovery codes', async () => {
    const member = await signInWithApp();
    const changed = { AUTH_SECRET: 'another secret of enough characters' };
    const { headers } = await beginSignIn(member, changed);
    const verify = (code = '') =>
      askFactors(`/${member.factorId}/verify`, headers, { code }, { overrides: changed });
    const wrong = await verify(appCode(member.secret));
    expect((await wrong.json<{ msg: string }>()).msg).toContain('Use a recovery code');
    expect((await verify(member.codes[0])).status).toBe(200);
  });

  it('can be required of administrators, for the admin pages alone', async () => {
    const admin = await signInEmbedded();
    const required = { ...EMBEDDED, ADMIN_REQUIRES_2FA: 'on', ADMIN_EMAILS: admin.email };
    const ask = (path: string, overrides: Partial<Env> = required) =>
      call(path, { headers: admin.headers }, overrides);
    const needs = async () => (await (await ask('/api/me')).json<Me>()).needsSecondFactor;
    expect(await needs()).toBe(true);
    const system = await ask('/api/admin/system');
    expect([system.status, await codeOf(system)]).toEqual([403, 'second_factor_setup_required']);
    expect(
      (await ask('/api/admin/system', { ...required, ADMIN_REQUIRES_2FA: 'off' })).status,
    ).toBe(200);
    const begun = await askFactors('', admin.headers, SETUP);
    const { id, totp } = await begun.json<{ id: string; totp: { secret: string } }>();
    expect((await ask('/api/admin/system')).status).toBe(403);
    await askFactors(`/${id}/verify`, admin.headers, { code: appCode(totp.secret) });
    expect((await ask('/api/admin/system')).status).toBe(200);
    expect(await needs()).toBeUndefined();
  });

  it('[A24] a passkey opens the admin pages once the session has used it', async () => {
    const admin = await signInEmbedded();
    const authenticator = await makeAuthenticator();
    const own = passkeyCalls(admin.headers);
    expect((await own.add(authenticator, admin.password)).status).toBe(200);
    const required = { ...EMBEDDED, ADMIN_REQUIRES_2FA: 'on', ADMIN_EMAILS: admin.email };
    const answers = async (headers: Headers) => {
      const me = await (await call('/api/me', { headers }, required)).json<Me>();
      const { status } = await call('/api/admin/system', { headers }, required);
      return [status, me.needsSecondFactor];
    };
    expect(await answers(admin.headers)).toEqual([403, true]);
    const signedIn = await passkeyCalls({}).signIn(authenticator);
    const { access_token } = await signedIn.json<{ access_token: string }>();
    expect(await answers({ Authorization: `Bearer ${access_token}` })).toEqual([200, undefined]);
    expect((await own.prove(authenticator)).status).toBe(200);
    expect(await answers(admin.headers)).toEqual([200, undefined]);
  });
});
