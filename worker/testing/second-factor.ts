import { env } from 'cloudflare:test';
import { expect } from 'vitest';
import { appCode } from './app-code.ts';
import { call } from './call.ts';
import { EMBEDDED, signInEmbedded } from './sign-in.ts';

type Headers = Record<string, string>;
const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });

/** Sends a request to the routes of the second factor. */
export const askFactors = (
  path: string,
  headers: Headers,
  json?: unknown,
  { method = 'POST', overrides = {} }: { method?: string; overrides?: Partial<Env> } = {},
) =>
  call(
    `/api/auth/v1/factors${path}`,
    { method, headers, ...(json !== undefined && { json }) },
    { ...EMBEDDED, ...overrides },
  );

/** A member with an authenticator app, in the session that set it up. */
export async function signInWithApp(overrides: Partial<Env> = {}) {
  const member = await signInEmbedded();
  const begun = await askFactors(
    '',
    member.headers,
    { factor_type: 'totp', current_password: member.password },
    { overrides },
  );
  const { id: factorId, totp } = await begun.json<{ id: string; totp: { secret: string } }>();
  const verified = await askFactors(
    `/${factorId}/verify`,
    member.headers,
    { code: appCode(totp.secret) },
    { overrides },
  );
  expect(verified.status).toBe(200);
  // As if set up with the code before it, so that the present one can follow without waiting. That
  // code itself would be refused when its half minute ends on the way.
  await env.DB.prepare('UPDATE auth_users SET totp_last_step = totp_last_step - 1 WHERE id = ?1')
    .bind(member.id)
    .run();
  await verified.body?.cancel();
  const made = await askFactors(
    '/recovery-codes',
    member.headers,
    { current_password: member.password },
    { overrides },
  );
  const { recovery_codes: codes } = await made.json<{ recovery_codes: string[] }>();
  return { ...member, factorId, secret: totp.secret, codes };
}

/** Signs in with the password and returns the headers of what waits for the code. */
export async function beginSignIn(
  { email, password }: { email: string; password: string },
  overrides: Partial<Env> = {},
): Promise<{ headers: Headers; refreshToken: string; expiresIn: number }> {
  const response = await call(
    '/api/auth/v1/token?grant_type=password',
    { json: { email, password } },
    { ...EMBEDDED, ...overrides },
  );
  expect(response.status).toBe(200);
  const session = await response.json<{
    access_token: string;
    refresh_token: string;
    expires_in: number;
  }>();
  return {
    headers: bearer(session.access_token),
    refreshToken: session.refresh_token,
    expiresIn: session.expires_in,
  };
}
