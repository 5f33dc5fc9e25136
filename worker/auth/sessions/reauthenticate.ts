import type { Db } from '#worker/db/client.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { isMetadata } from '#worker/auth/service/user-json.ts';
import { createAuthContext, type AuthContext } from '#worker/auth/service/context.ts';
import { AuthError } from '#worker/auth/service/errors.ts';
import { verifyPassword } from '#worker/auth/password/verify-password.ts';
import { logRefusedSignIn } from '#worker/auth/service/sign-in-log.ts';
import { isEmbedded } from '#worker/auth/service/settings.ts';
import {
  findAccountAndSession,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';
import { verifyAccessToken } from '#worker/auth/tokens/verify-access-token.ts';

/**
 * How long a mailed link or code, or a sign-in at a hosted service, replaces the current password.
 */
const RECENT_MS = 10 * MINUTE_MS;

/** How the owner has proven their identity (`code`, `password`), or why not. */
export type Reauthentication = 'code' | 'password' | 'missing' | 'wrong';

/**
 * Checks that the person behind a session owns the account: by the current password, limited like a
 * sign-in, or by a link or code mailed within the last ten minutes. Throws 429.
 */
export async function reauthenticate(
  context: AuthContext,
  account: Account,
  session: SessionRow,
  currentPassword: string,
): Promise<Reauthentication> {
  if (hasRecentCode(session, context.now)) return 'code';
  if (currentPassword === '') return 'missing';
  const { matches } = await verifyPassword(
    context,
    account.email,
    currentPassword,
    account.password_hash,
  );
  if (!matches)
    logRefusedSignIn(context, 'current_password', account.email, 'current_password_invalid');
  return matches ? 'password' : 'wrong';
}

/**
 * The result for a request of the application. `sign_in_again` occurs only with a hosted sign-in
 * service.
 */
export type RequestReauthentication =
  | { ok: true }
  | { ok: false; reason: 'missing' | 'wrong' | 'sign_in_again' }
  | { ok: false; reason: 'limited'; message: string; retryAfter: number };

/**
 * A verified request for something that cannot be undone. `person` is its identity; `now` is in ms.
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
}: SensitiveRequest): Promise<RequestReauthentication> {
  if (!isEmbedded(env)) {
    const token = /^Bearer (\S+)$/.exec(request.headers.get('Authorization') ?? '')?.[1] ?? '';
    const verified = await verifyAccessToken(token, env, db, request.url, now);
    const signedInAt = verified?.signedInAt ?? null;
    return signedInAt !== null && now - signedInAt < RECENT_MS
      ? { ok: true }
      : { ok: false, reason: 'sign_in_again' };
  }
  const { account, session } = await findAccountAndSession(db, person.id, person.sessionId);
  if (account === undefined || session === undefined) return { ok: false, reason: 'missing' };
  try {
    const result = await reauthenticate(
      createAuthContext(env, db, request, now),
      account,
      session,
      currentPassword,
    );
    return result === 'code' || result === 'password'
      ? { ok: true }
      : { ok: false, reason: result };
  } catch (error) {
    if (!(error instanceof AuthError) || error.status !== 429) throw error;
    return {
      ok: false,
      reason: 'limited',
      message: error.message,
      retryAfter: error.extra.retryAfter ?? 60,
    };
  }
}

function hasRecentCode(session: SessionRow, now: number): boolean {
  const amr: unknown = JSON.parse(session.amr);
  return (
    Array.isArray(amr) &&
    amr.some(
      (entry: unknown) =>
        isMetadata(entry) &&
        entry['method'] === 'otp' &&
        typeof entry['timestamp'] === 'number' &&
        now - entry['timestamp'] * 1000 < RECENT_MS,
    )
  );
}
