import { and, eq, isNull } from 'drizzle-orm';
import { addressHash } from '#worker/account/address-standing.ts';
import { recordFirstRequest } from '#worker/account/first-request.ts';
import { grantByList, isRoleWithheld } from '#worker/admin/grant.ts';
import { hasConfirmedEmail } from '#worker/auth/tokens/hosted-user.ts';
import { readSessionState, type KnownUser, type SessionState } from '#worker/auth/sessions/session-state.ts';
import { authSecret, isEmbedded } from '#worker/auth/settings.ts';
import { SignInServiceDown, verifyAccessToken } from '#worker/auth/tokens/verify-access-token.ts';
import type { Db } from '#worker/db/client.ts';
import { users } from '#worker/db/schema.ts';
import type { Identity } from '#worker/http/context.ts';
import { logEvent } from '#worker/log.ts';
import { ApiError } from '#worker/http/errors.ts';

/** How stale `last_seen_at` may be: it is written at most this often, never on every request. In ms. */
const SEEN_EVERY_MS = 3_600_000;

/**
 * Who sent this request. Only the verified bearer token counts: `x-user-id` and `x-user-email` are not read (decision 1).
 * The role comes from the database on every request, so a demotion acts at once (decision 2); so does the session,
 * where it is ours, so that a signed-out one opens nothing; so does a suspension.
 * Returns null without an Authorization header; throws 401 for a token that is not valid (any more), 403 for a suspended
 * person, 503 where that cannot be found out.
 */
export async function identify(request: Request, env: Env, db: Db, now: number): Promise<Identity | null> {
  const header = request.headers.get('Authorization');
  if (header === null) return null;
  const bearer = header.startsWith('Bearer ') ? header.slice(7) : '';
  const token = bearer === '' ? null : await asked(verifyAccessToken(bearer, env, db, request.url, now));
  if (token === null) throw notValid();
  const state = await readSessionState(db, token, isEmbedded(env), now);
  if (!state.isActive) throw notValid();
  const person = { id: token.userId, email: state.account?.email ?? token.email };
  const known = state.user ?? (await recordFirstRequest(db, person, addressHash(authSecret(env), person.email), now));
  if (known === null) throw notValid();
  if (known.suspension !== null) throw new ApiError('forbidden', `This account is suspended. Reason: ${known.suspension.reason}`);
  if (state.user !== null) await keepUp(db, person, state.user, now);
  const role =
    known.role === 'user' && isAdminEmail(env, person.email) ? await roleByList(env, db, person, state, bearer, now) : known.role;
  return { ...person, role, sessionId: token.sessionId };
}

/**
 * The role of a user whose address is in ADMIN_EMAILS: administrator once the address is proven, by a mail of ours or by
 * the hosted service's word, and unless an administrator has taken the role away.
 */
async function roleByList(
  env: Env,
  db: Db,
  person: { id: string; email: string },
  state: SessionState,
  bearer: string,
  now: number,
): Promise<'user' | 'admin'> {
  const hash = addressHash(authSecret(env), person.email);
  // Asked first: a demoted address must not cost a call to the hosted service on every request.
  if (await isRoleWithheld(db, person.id, hash)) return 'user';
  const proven = state.account?.proven ?? (await asked(hasConfirmedEmail(env, bearer, person.id, person.email)));
  return proven && (await grantByList(db, person, hash, now)) ? 'admin' : 'user';
}

/** The address of a suspended person stays as it was: lifting the suspension must find the address that it covers. */
async function keepUp(db: Db, { id, email }: { id: string; email: string }, known: KnownUser, now: number): Promise<void> {
  if (known.email === email && now - known.lastSeenAt < SEEN_EVERY_MS) return;
  await db
    .update(users)
    .set({ email, last_seen_at: now })
    .where(and(eq(users.id, id), isNull(users.suspended_at)));
}

function isAdminEmail(env: Env, email: string): boolean {
  return email !== '' && (env.ADMIN_EMAILS ?? '').split(',').some((admin) => admin.trim().toLowerCase() === email);
}

const notValid = (): ApiError => new ApiError('unauthenticated', 'Your session is no longer valid. Please sign in again.');

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof SignInServiceDown)) throw error;
    logEvent('sign_in_service_down', { error: error.message });
    throw new ApiError('unavailable', 'The sign-in service cannot be reached just now. Please try again in a moment.', {
      retryAfter: 5,
    });
  }
}
