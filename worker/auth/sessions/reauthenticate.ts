import type { Context } from 'hono';
import type { Db } from '#worker/db/client.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { requireMember } from '#worker/http/validate.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { createAuthContext, type AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { verifyPassword } from '#worker/auth/password/verify-password.ts';
import { logRefusedSignIn } from '#worker/auth/service/sign-in-log.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';
import {
  findAccountAndSession,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';
import { hasTotp } from '#worker/auth/service/user-json.ts';
import { isFactorMethod, lastSignIn } from '#worker/auth/tokens/access-token.ts';
import { verifyAccessToken } from '#worker/auth/tokens/verify-access-token.ts';

/**
 * How long a mailed link or code, or a sign-in at a hosted service, replaces the current password.
 */
export const RECENT_MS = 10 * MINUTE_MS;

/**
 * Checks that the person behind a session owns the account: by the current password, limited like a
 * sign-in, or by a link, a code, a passkey or a sign-in at the provider within the last ten minutes.
 * With a second factor, it must have been shown within that time, too.
 */
export async function reauthenticate(
  context: AuthContext,
  account: Account,
  session: SessionRow,
  currentPassword: string,
): Promise<Result<'code' | 'password'>> {
  const proof = await proveFirstFactor(context, account, session, currentPassword);
  return proof.ok && !hasFreshFactor(account, session, context.now)
    ? refuse('second_factor_stale')
    : proof;
}

/**
 * Whether a second factor was shown within the last ten minutes, or the account has none. The
 * provider decides what it asks for, so a recent sign-in there is enough.
 */
export const hasFreshFactor = (
  account: Pick<Account, 'totp_confirmed_at'>,
  { amr }: Pick<SessionRow, 'amr'>,
  now: number,
): boolean =>
  !hasTotp(account) ||
  isRecent(
    lastSignIn(JSON.parse(amr), (method) => isFactorMethod(method) || method === 'oauth'),
    now,
  );

async function proveFirstFactor(
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

/**
 * Throws 403 unless the member has shown a second factor within the last ten minutes, or has none.
 * With a hosted service, that is up to the project.
 */
export async function requireFreshFactor(c: Context<ApiEnv>): Promise<void> {
  if (!isEmbedded(c.env)) return;
  const { id, sessionId } = requireMember(c);
  const { account, session } = await findAccountAndSession(c.get('db'), id, sessionId);
  if (account === undefined || session === undefined) throw apiError('session_ended');
  if (!hasFreshFactor(account, session, c.get('now'))) throw apiError('second_factor_stale');
}
