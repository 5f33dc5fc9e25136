import type { Db } from '#worker/db/client.ts';
import {
  signAccessToken,
  ACCESS_TOKEN_SECONDS,
  verifyOwnToken,
  type AmrEntry,
} from '#worker/auth/tokens/access-token.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { logReusedToken } from '#worker/auth/service/sign-in-log.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { describeDevice } from './session-device.ts';
import {
  isAccountSuspended,
  isSessionExpired,
  lacksFactor,
  readSuspensionReason,
} from './session-state.ts';
import { signRefreshToken, verifyRefreshToken } from '#worker/auth/tokens/refresh-token.ts';
import {
  advanceSession,
  findAccountAndSession,
  findById,
  findSession,
  insertSession,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';
import { endSessions } from '#worker/auth/service/end-sessions.ts';
import { findPending, PENDING_MS, type PendingSignIn } from '#worker/auth/service/pending-store.ts';
import { hasTotp, markPending, userJson } from '#worker/auth/service/user-json.ts';

export type TokenResponse = {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: Record<string, unknown>;
};

/** The answer to a sign-in of a suspended account, with the reason. */
export const refuseSuspended = async (db: Db, userId: string) =>
  refuse('suspended', { detail: await readSuspensionReason(db, userId) });

/**
 * Starts a session after a password matched `checkedHash`, and writes `columns` to the account in
 * the same batch. With a second factor, the sign-in waits for it. Refuses if the password was
 * changed or the account suspended in the meantime.
 */
export async function startPasswordSession(
  context: AuthContext,
  account: Account,
  checkedHash: string,
  columns: Partial<Account> = {},
): Promise<Result<TokenResponse>> {
  const { db, now } = context;
  if (isAccountSuspended(account, now)) return refuseSuspended(db, account.id);
  const session = { ...newSession(context, 'password'), user_id: account.id };
  const signedIn = await insertSession(db, session, checkedHash, {
    ...columns,
    last_sign_in_at: now,
    updated_at: now,
  });
  if (signedIn !== undefined)
    return { ok: true, value: await beginSession(context, signedIn, session) };
  const current = await findById(db, account.id);
  const isSuspendedNow = current !== undefined && isAccountSuspended(current, now);
  return isSuspendedNow ? refuseSuspended(db, account.id) : refuse('wrong_credentials');
}

/**
 * A session that starts now and ends at `notAfter` at the latest. The statement that inserts it adds
 * the owner.
 */
export function newSession(
  context: AuthContext,
  method: AmrEntry['method'],
  notAfter: number | null = null,
): Omit<SessionRow, 'user_id'> {
  const { now } = context;
  const amr: AmrEntry[] = [{ method, timestamp: Math.floor(now / 1000) }];
  return {
    id: crypto.randomUUID(),
    counter: 0,
    refreshed_at: now,
    amr: JSON.stringify(amr),
    created_at: now,
    not_after: notAfter,
    notice_hash: null,
    ...describeDevice(context),
  };
}

/**
 * Returns new tokens for a refresh token. The current token advances the session's counter. Within
 * the reuse interval after the last refresh, an older token gets the current one, for tabs that
 * refresh at the same time and for lost answers. Later it ends the session, because somebody may
 * have a copy.
 */
export async function refreshSession(
  context: AuthContext,
  token: string,
): Promise<Result<TokenResponse>> {
  const { db, settings, now } = context;
  // This is the first format of Supabase Auth: well-formed, but never issued by this service.
  if (/^[a-z0-9]{12}$/.test(token)) return refuse('refresh_token_unknown');
  const presented = verifyRefreshToken(settings.secret, token);
  if (presented === null) return refuse('refresh_token_invalid');
  const advanced = await advanceSession(db, presented.sessionId, presented.counter, now);
  const session = advanced ?? (await findSession(db, presented.sessionId));
  if (session === undefined) return refuse('refresh_token_unknown');
  const account = await findById(db, session.user_id);
  if (account === undefined) return refuse('refresh_token_unknown');
  if (isAccountSuspended(account, now)) return refuseSuspended(db, account.id);
  const behind = session.counter - presented.counter;
  if (behind < 0) return refuse('refresh_token_invalid');
  if (isSessionExpired(session, settings.sessionMaxMs, now) || lacksFactor(account, session))
    return refuse('session_expired');
  const sinceRefresh = now - session.refreshed_at;
  if (advanced === undefined && behind > 0 && sinceRefresh >= settings.refreshReuseMs) {
    await endSessions(db, session, 'local', now);
    logReusedToken(context, account.email, behind, sinceRefresh);
    return refuse('refresh_token_used');
  }
  return { ok: true, value: await issueTokens(context, account, session) };
}

/**
 * Returns the account and session of an Authorization header. They are read from the database, so
 * that signing out takes effect at once. A sign-in that waits for its second factor has no session.
 */
export async function authenticate(
  context: AuthContext,
  header: string | undefined,
): Promise<Result<{ account: Account; session: SessionRow }>> {
  const found = await findCaller(context, header);
  if (!found.ok) return found;
  const { account, session } = found.value;
  return session === null
    ? refuse('second_factor_needed')
    : { ok: true, value: { account, session } };
}

/** Somebody with a session, or with a sign-in that waits for the second factor. */
export type FactorCaller = { account: Account } & (
  | { session: SessionRow; pending: null }
  | { session: null; pending: PendingSignIn }
);

/** `authenticate` for the routes that finish a sign-in. */
export async function findCaller(
  context: AuthContext,
  header: string | undefined,
): Promise<Result<FactorCaller>> {
  const token = /^bearer (\S+)$/i.exec(header ?? '')?.[1];
  if (token === undefined) return refuse('no_token');
  const { db, settings, now } = context;
  const verified = await verifyOwnToken(
    db,
    { secret: settings.secret, issuer: settings.issuer, now },
    token,
  );
  if (!verified.ok) return verified;
  const { account, session } = await findAccountAndSession(db, verified.userId, verified.sessionId);
  if (account === undefined) return refuse('token_without_user');
  const pending =
    session === undefined ? await findPending(db, verified.sessionId, account.id, now) : undefined;
  const hasEnded =
    session !== undefined &&
    (isSessionExpired(session, settings.sessionMaxMs, now) || lacksFactor(account, session));
  if (hasEnded) return refuse('token_without_session');
  if (isAccountSuspended(account, now))
    return refuse('token_suspended', { detail: await readSuspensionReason(db, account.id) });
  if (session !== undefined) return { ok: true, value: { account, session, pending: null } };
  return pending === undefined
    ? refuse('token_without_session')
    : { ok: true, value: { account, session: null, pending } };
}

/**
 * The tokens of a sign-in by password or mail. With a second factor, they name no session yet: they
 * are good for entering the code, and end with the pending sign-in.
 */
export async function beginSession(
  context: AuthContext,
  account: Account,
  session: SessionRow,
): Promise<TokenResponse> {
  if (!hasTotp(account)) return issueTokens(context, account, session);
  const tokens = await issueTokens(context, account, session, PENDING_MS / 1000);
  return { ...tokens, user: markPending(tokens.user) };
}

export async function issueTokens(
  context: AuthContext,
  account: Account,
  session: SessionRow,
  seconds = ACCESS_TOKEN_SECONDS,
): Promise<TokenResponse> {
  const { db, settings, now } = context;
  const { token, expiresAt } = await signAccessToken(
    db,
    { secret: settings.secret, issuer: settings.issuer, now },
    account,
    session,
    seconds,
  );
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: seconds,
    expires_at: expiresAt,
    refresh_token: signRefreshToken(settings.secret, session.id, session.counter),
    user: userJson(account, session),
  };
}
