import type { Db } from '#worker/db/client.ts';
import { makeAttempt, type Attempt } from '#worker/auth/limits/attempt.ts';
import { AuthError } from '#worker/auth/errors.ts';
import { tryPassword } from '#worker/auth/password/password-try.ts';
import { isEmbedded } from '#worker/auth/settings.ts';
import { findAccountAndSession, type Account, type SessionRow } from '#worker/auth/store.ts';
import { isMetadata } from '#worker/auth/user-json.ts';
import { verifyAccessToken } from '#worker/auth/tokens/verify.ts';

/** For how long a mailed link or code, or a sign-in at a hosted service, stands for the current password. */
const RECENT_MS = 10 * 60_000;

/** `code` and `password`: shown by that. */
export type Reauthentication = 'code' | 'password' | 'missing' | 'wrong';

/**
 * Whether the person behind this session has just shown that the account is theirs: by the current password, counted like a
 * sign-in, or by a mailed link or code in the last ten minutes. Throws 429.
 */
export async function reauthenticate(
  attempt: Attempt,
  account: Account,
  session: SessionRow,
  currentPassword: string,
): Promise<Reauthentication> {
  if (hasRecentCode(session, attempt.now)) return 'code';
  if (currentPassword === '') return 'missing';
  const { right } = await tryPassword(attempt, account.email, currentPassword, account.password_hash);
  return right ? 'password' : 'wrong';
}

/** As `reauthenticate`, for a request of the application; `sign_in_again` in hosted mode. */
export type RequestReauthentication =
  | { ok: true }
  | { ok: false; reason: 'missing' | 'wrong' | 'sign_in_again' }
  | { ok: false; reason: 'limited'; message: string; retryAfter: number };

/**
 * Whether a verified request may do what cannot be undone. With a hosted service its token must tell of a sign-in in the last
 * ten minutes: the password is not ours to check. `person` is the request's identity.
 */
export async function reauthenticateRequest(
  env: Env,
  db: Db,
  request: Request,
  person: { id: string; sessionId: string },
  currentPassword: string,
  now: number,
): Promise<RequestReauthentication> {
  if (!isEmbedded(env)) {
    const token = /^Bearer (\S+)$/.exec(request.headers.get('Authorization') ?? '')?.[1] ?? '';
    const verified = await verifyAccessToken(token, env, db, request.url, now);
    const signedInAt = verified?.signedInAt ?? null;
    return signedInAt !== null && now - signedInAt < RECENT_MS ? { ok: true } : { ok: false, reason: 'sign_in_again' };
  }
  const { account, session } = await findAccountAndSession(db, person.id, person.sessionId);
  if (account === undefined || session === undefined) return { ok: false, reason: 'missing' };
  try {
    const result = await reauthenticate(makeAttempt(env, db, request, now), account, session, currentPassword);
    return result === 'code' || result === 'password' ? { ok: true } : { ok: false, reason: result };
  } catch (error) {
    if (!(error instanceof AuthError) || error.status !== 429) throw error;
    return { ok: false, reason: 'limited', message: error.message, retryAfter: error.extra.retryAfter ?? 60 };
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
