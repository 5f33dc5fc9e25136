import type { Db } from '#worker/db/client.ts';
import { signAccessToken, ACCESS_TOKEN_SECONDS, verifyOwnToken, type Amr } from '#worker/auth/tokens/access-token.ts';
import { AuthError } from '#worker/auth/errors.ts';
import type { Attempt } from '#worker/auth/limits/attempt.ts';
import { openRefreshToken, sealRefreshToken } from '#worker/auth/tokens/refresh-token.ts';
import {
  advanceSession,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsOf,
  findAccountAndSession,
  findById,
  findSession,
  insertSession,
  type Account,
  type SessionRow,
} from '#worker/auth/store.ts';
import { userJson } from '#worker/auth/user-json.ts';

export type TokenResponse = {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: Record<string, unknown>;
};

/**
 * Begins a session after a password was checked against `checkedHash`. `change` is written to the account in the same batch.
 * Throws 400 where the password has been changed or the account suspended since.
 */
export async function startSession(
  attempt: Attempt,
  account: Account,
  checkedHash: string,
  change: Partial<Account> = {},
): Promise<TokenResponse> {
  const { db, now } = attempt;
  if (isSuspended(account, now)) throw suspended();
  const session = { ...newSession('password', now), user_id: account.id };
  const signedIn = await insertSession(db, session, checkedHash, { ...change, last_sign_in_at: now, updated_at: now });
  if (signedIn !== undefined) return tokensOf(attempt, signedIn, session);
  const current = await findById(db, account.id);
  throw current !== undefined && isSuspended(current, now) ? suspended() : invalidCredentials();
}

/** A session that begins now; its owner is filled in where it is written. */
export function newSession(method: Amr['method'], now: number): Omit<SessionRow, 'user_id'> {
  const amr: Amr[] = [{ method, timestamp: Math.floor(now / 1000) }];
  return { id: crypto.randomUUID(), counter: 0, refreshed_at: now, amr: JSON.stringify(amr), created_at: now, not_after: null };
}

/**
 * A new pair for a refresh token. With d = current counter − presented: 0 moves on; 1 gets the current
 * token at any time (the last answer was lost); 2 or more the same within the reuse interval (several tabs), and later
 * the whole session is deleted, because somebody holds a copy.
 */
export async function refreshSession(attempt: Attempt, token: string): Promise<TokenResponse> {
  const { db, settings, now } = attempt;
  // The first version's tokens had 12 characters: well-formed, but never issued here.
  if (/^[a-z0-9]{12}$/.test(token)) throw tokenNotFound();
  const presented = openRefreshToken(settings.secret, token);
  if (presented === null) throw new AuthError(400, 'validation_failed', 'Refresh token is not valid');
  const session =
    (await advanceSession(db, presented.sessionId, presented.counter, now)) ?? (await findSession(db, presented.sessionId));
  if (session === undefined) throw tokenNotFound();
  const account = await findById(db, session.user_id);
  if (account === undefined) throw tokenNotFound();
  if (isSuspended(account, now)) throw suspended();
  const behind = session.counter - presented.counter;
  if (behind < 0) throw new AuthError(400, 'validation_failed', 'Refresh token is not valid');
  if (behind >= 2 && now - session.refreshed_at >= settings.reuseMs) {
    await deleteSession(db, session.id);
    throw new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
  }
  if (session.not_after !== null && session.not_after <= now)
    throw new AuthError(400, 'session_expired', 'Invalid Refresh Token: Session Expired');
  return tokensOf(attempt, account, session);
}

/** Who an Authorization header speaks for, checked against the rows: a signed-out session is seen at once. */
export async function authenticate(
  attempt: Attempt,
  header: string | undefined,
): Promise<{ account: Account; session: SessionRow }> {
  const token = /^bearer (\S+)$/i.exec(header ?? '')?.[1];
  if (token === undefined) throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  const { db, settings, now } = attempt;
  const verified = await verifyOwnToken(db, settings.secret, settings.issuer, token, now);
  if (!verified.ok) throw new AuthError(403, 'bad_jwt', verified.reason);
  const { account, session } = await findAccountAndSession(db, verified.userId, verified.sessionId);
  if (account === undefined) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
  if (session === undefined) throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  if (isSuspended(account, now)) throw suspended(403);
  return { account, session };
}

/** Ends sessions: this one, all, or all but this one. Refresh tokens die with their session. */
export async function endSessions(db: Db, session: SessionRow, scope: 'global' | 'local' | 'others'): Promise<void> {
  if (scope === 'local') await deleteSession(db, session.id);
  else if (scope === 'others') await deleteOtherSessions(db, session.user_id, session.id);
  else await deleteSessionsOf(db, session.user_id);
}

export const isSuspended = (account: Account, now: number): boolean =>
  account.banned_until !== null && account.banned_until > now;

/** 400 for a grant, 403 for a request with a token, as the client expects. */
export const suspended = (status: 400 | 403 = 400): AuthError =>
  new AuthError(status, 'user_banned', 'This account is suspended.');

export const invalidCredentials = (): AuthError => new AuthError(400, 'invalid_credentials', 'Invalid login credentials');

const tokenNotFound = (): AuthError =>
  new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');

/** The answer of every grant. */
export async function tokensOf(attempt: Attempt, account: Account, session: SessionRow): Promise<TokenResponse> {
  const { db, settings, now } = attempt;
  const { token, expiresAt } = await signAccessToken(db, settings.secret, settings.issuer, account, session, now);
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    expires_at: expiresAt,
    refresh_token: sealRefreshToken(settings.secret, session.id, session.counter),
    user: userJson(account),
  };
}
