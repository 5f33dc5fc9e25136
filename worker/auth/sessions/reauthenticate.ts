import type { Db } from '#worker/db/client.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { createAuthContext, type AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { verifyPassword } from '#worker/auth/password/verify-password.ts';
import { logRefusedSignIn } from '#worker/auth/service/sign-in-log.ts';
import { isEmbedded } from '#worker/auth/service/settings.ts';
import {
  findAccountAndSession,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';
import { lastSignIn } from '#worker/auth/tokens/access-token.ts';
import { verifyAccessToken } from '#worker/auth/tokens/verify-access-token.ts';

/**
 * How long a mailed link or code, or a sign-in at a hosted service, replaces the current password.
 */
const RECENT_MS = 10 * MINUTE_MS;

/**
 * Checks that the person behind a session owns the account: by the current password, limited like a
 * sign-in, or by a link, a code, a passkey or a sign-in at the provider within the last ten minutes.
 */
export async function reauthenticate(
  context: AuthContext,
  account: Account,
  session: SessionRow,
  currentPassword: string,
): Promise<Result<'code' | 'password'>> {
  const provenAt = lastSignIn(
    JSON.parse(session.amr),
    (method) => method === 'otp' || method === 'oauth' || method === 'webauthn',
  );
  if (isRecent(provenAt, context.now)) return { ok: true, value: 'code' };
  if (currentPassword === '') return refuse('password_missing');
  const verified = await verifyPassword(
    context,
    account.email,
    currentPassword,
    account.password_hash,
  );
  if (!verified.ok) return verified;
  if (verified.value.matches) return { ok: true, value: 'password' };
  const refusal = refuse('password_wrong');
  logRefusedSignIn(context, 'current_password', account.email, refusal);
  return refusal;
}

/**
 * A verified request for something that cannot be undone. `person` is the caller; `now` is in ms.
 */
export type SensitiveRequest = {
  env: Env;
  db: Db;
  request: Request;
  person: { id: string; sessionId: string };
  currentPassword: string;
  now: number;
};

/**
 * `reauthenticate` for a request outside the sign-in service. With a hosted service, whose
 * passwords cannot be checked here, the token must contain a sign-in within the last ten minutes.
 */
export async function reauthenticateRequest({
  env,
  db,
  request,
  person,
  currentPassword,
  now,
}: SensitiveRequest): Promise<Result<'code' | 'password' | 'token'>> {
  if (!isEmbedded(env)) {
    const token = /^Bearer (\S+)$/.exec(request.headers.get('Authorization') ?? '')?.[1] ?? '';
    const verified = await verifyAccessToken(token, env, db, request.url, now);
    return isRecent(verified?.signedInAt ?? null, now)
      ? { ok: true, value: 'token' }
      : refuse('sign_in_too_old');
  }
  const { account, session } = await findAccountAndSession(db, person.id, person.sessionId);
  if (account === undefined || session === undefined) return refuse('password_missing');
  const context = createAuthContext(env, db, request, now);
  return reauthenticate(context, account, session, currentPassword);
}

const isRecent = (signedInAt: number | null, now: number): boolean =>
  signedInAt !== null && now - signedInAt < RECENT_MS;
