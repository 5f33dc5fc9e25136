import { describe, expect, it } from 'vitest';
import { appCode } from '#worker/testing/app-code.ts';
import { call } from '#worker/testing/call.ts';
import { FINGERPRINT, logLines } from '#worker/testing/log-lines.ts';
import { findInDatabase } from '#worker/testing/scan.ts';
import { askFactors, beginSignIn, signInWithApp } from '#worker/testing/second-factor.ts';
import { EMBEDDED, linkIn, mailsTo, signInEmbedded, tab } from '#worker/testing/sign-in.ts';

const NETWORK = '203.0.113.69';
const OTHER_NETWORK = '203.0.113.70';

function send(
  path: string,
  json: unknown,
  headers: Record<string, string> = {},
  overrides: Partial<Env> = {},
): Promise<Response> {
  return call(
    path,
    { json, headers: { 'CF-Connecting-IP': NETWORK, ...headers } },
    { ...EMBEDDED, ...overrides },
  );
}
const signIn = (email: string, password: string, network = NETWORK) =>
  send(
    '/api/auth/v1/token?grant_type=password',
    { email, password },
    { 'CF-Connecting-IP': network },
  );

/** Checks that the lines contain nothing that identifies somebody without AUTH_SECRET. */
function expectAnonymous(lines: unknown[], ...secrets: string[]): void {
  const text = JSON.stringify(lines);
  expect(text).not.toMatch(/@|203\.0\.113|eyJ/);
  for (const secret of secrets) expect(text).not.toContain(secret);
}

describe('the log of sign-ins', () => {
  it('[T69] a sign-in that waits for its code is not logged as one that has begun', async () => {
    const member = await signInWithApp();
    const lines = logLines();
    const { headers } = await beginSignIn(member);
    const code = appCode(member.secret);
    await askFactors(`/${member.factorId}/verify`, headers, { code });
    expect(lines()).toMatchObject([
      { event: 'auth_second_factor_asked', method: 'password', account: FINGERPRINT },
      { event: 'auth_signed_in', method: 'second_factor', account: FINGERPRINT },
    ]);
  });

  it('[T69] accepted and refused sign-ins are logged with the same fingerprints', async () => {
    const person = await signInEmbedded();
    const lines = logLines();
    expect((await signIn(person.email, 'wrong horse')).status).toBe(400);
    expect((await signIn(` ${person.email.toUpperCase()}`, person.password)).status).toBe(200);
    expect((await signIn('nobody@example.com', 'wrong horse', OTHER_NETWORK)).status).toBe(400);
    const [refused, accepted, unknown] = lines();
    expect(refused).toEqual({
      event: 'auth_sign_in_refused',
      method: 'password',
      reason: 'invalid_credentials',
      account: FINGERPRINT,
      network: FINGERPRINT,
    });
    const { account, network } = refused ?? {};
    expect(accepted).toEqual({ event: 'auth_signed_in', method: 'password', account, network });
    expect(unknown).toMatchObject({
      event: 'auth_sign_in_refused',
      reason: 'invalid_credentials',
      account: FINGERPRINT,
    });
    expect([unknown?.['account'] === account, unknown?.['network'] === network]).toEqual([
      false,
      false,
    ]);
    expectAnonymous(lines(), person.email, person.id, 'nobody', 'horse');
    // No hash in the database connects a log line to an account or a network.
    expect(await findInDatabase(new RegExp(`${String(account)}|${String(network)}`))).toEqual([]);
  });

  it('[T69] mailed links and codes are logged, accepted and refused', async () => {
    const { email } = await signInEmbedded();
    await tab().auth.resetPasswordForEmail(email);
    const { type, token_hash } = linkIn((await mailsTo(email))[0]);
    const lines = logLines();
    expect((await send('/api/auth/v1/verify', { type, email, token: '000000' })).status).toBe(403);
    expect((await send('/api/auth/v1/verify', { type, token_hash })).status).toBe(200);
    expect((await send('/api/auth/v1/verify', { type, token_hash })).status).toBe(403);
    const [code, link, used] = lines();
    const { account, network } = code ?? {};
    expect(code).toEqual({
      event: 'auth_sign_in_refused',
      method: 'code',
      reason: 'otp_expired',
      account,
      network,
    });
    expect(link).toEqual({ event: 'auth_signed_in', method: 'link', account, network });
    expect(used).toEqual({
      event: 'auth_sign_in_refused',
      method: 'link',
      reason: 'otp_expired',
      account: null,
      network,
    });
    expectAnonymous(lines(), email, token_hash);
  });

  it('[T69] a sign-up that signs in is logged', async () => {
    const email = 'new-member@example.com';
    const lines = logLines();
    const signUp = () =>
      send(
        '/api/auth/v1/signup',
        { email, password: 'correct horse' },
        {},
        { AUTH_AUTOCONFIRM: 'on' },
      );
    expect([(await signUp()).status, (await signUp()).status]).toEqual([200, 422]);
    expect(lines()).toEqual([
      { event: 'auth_signed_in', method: 'sign_up', account: FINGERPRINT, network: FINGERPRINT },
      {
        event: 'auth_sign_in_refused',
        method: 'sign_up',
        reason: 'user_already_exists',
        account: FINGERPRINT,
        network: FINGERPRINT,
      },
    ]);
    expectAnonymous(lines(), 'new-member', 'horse');
  });

  it('[T69] a wrong current password within a session is logged', async () => {
    const { headers, email } = await signInEmbedded();
    const lines = logLines();
    const json = { password: 'another horse', current_password: 'wrong horse' };
    expect(
      (await call('/api/auth/v1/user', { method: 'PUT', json, headers }, EMBEDDED)).status,
    ).toBe(400);
    expect(lines()).toEqual([
      expect.objectContaining({
        event: 'auth_sign_in_refused',
        method: 'current_password',
        account: FINGERPRINT,
      }),
    ]);
    expectAnonymous(lines(), email, 'horse');
  });

  it('[T69] a request that cannot be read is not logged', async () => {
    const lines = logLines();
    expect((await send('/api/auth/v1/verify', { type: 'signup' })).status).toBe(400);
    expect((await send('/api/auth/v1/token?grant_type=password', { email: 1 })).status).toBe(400);
    expect(lines()).toEqual([]);
  });

  it('[T69] a refused request of the admin API is logged without its path', async () => {
    const { headers, email } = await signInEmbedded();
    const lines = logLines();
    const ask = (method: string, path: string) =>
      call(path, { method, headers: { ...headers, 'CF-Connecting-IP': NETWORK } }, EMBEDDED);
    expect((await ask('GET', '/api/admin?action=users&q=somebody')).status).toBe(403);
    expect((await ask('DELETE', '/api/admin/blocklist/secret.example')).status).toBe(403);
    expect((await send('/api/admin/claim', { token: 'x'.repeat(43) }, headers)).status).toBe(404);
    const who = { account: FINGERPRINT, network: FINGERPRINT };
    expect(lines()).toEqual([
      { event: 'admin_refused', method: 'GET', area: '/api/admin', ...who },
      { event: 'admin_refused', method: 'DELETE', area: '/api/admin/blocklist', ...who },
      { event: 'admin_claim_refused', method: 'POST', area: '/api/admin/claim', ...who },
    ]);
    expectAnonymous(lines(), email, 'somebody', 'secret', 'xxx');
  });
});
