import { findKey, findKeyOf } from '#worker/api-keys/find-key.ts';
import { looksLikeKey } from '#worker/api-keys/key-secret.ts';
import { addressHash } from '#worker/users/address-standing.ts';
import { recordFirstRequest } from '#worker/account/first-request.ts';
import { recordVisit } from '#worker/users/user-state.ts';
import { grantAdmin, isAdminWithheld } from '#worker/admin/grant.ts';
import { hasConfirmedEmail } from '#worker/auth/tokens/hosted-user.ts';
import { readSessionState, type SessionState } from '#worker/auth/sessions/session-state.ts';
import { authSecret, sessionMaxMs } from '#worker/auth/service/settings.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';
import { SignInServiceDown, verifyAccessToken } from '#worker/auth/tokens/verify-access-token.ts';
import { findPending } from '#worker/auth/service/pending-store.ts';
import type { Db } from '#worker/db/client.ts';
import { networkOf, rateLimit } from '#worker/http/rate-limit.ts';
import type { Identity, KeyIdentity } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { errorFacts, logEvent } from '#worker/log.ts';

type User = { id: string; email: string };

/**
 * Returns the caller of a request, from its verified bearer token alone; `x-user-id` and
 * `x-user-email` are ignored (docs/decisions.md#d1). The role, the suspension and, with the
 * embedded sign-in, the session are read from the database on every request, so that a demotion, a
 * suspension or a sign-out takes effect at the next request. Returns null without an Authorization
 * header. Throws 401 for a token that is not valid, 403 for a suspended user, 503 if the sign-in
 * service or the database is unreachable.
 */
export async function identify(
  request: Request,
  env: Env,
  db: Db,
  now: number,
): Promise<Identity | null> {
  const header = request.headers.get('Authorization');
  if (header === null) return null;
  const bearer = bearerOf(header);
  if (looksLikeKey(bearer)) throw apiError('key_for_application');
  const token =
    bearer === ''
      ? null
      : await orUnavailable(verifyAccessToken(bearer, env, db, request.url, now));
  if (token === null) throw apiError('session_ended');
  const state = await readSessionState(db, token, isEmbedded(env) ? sessionMaxMs(env) : null, now);
  if (!state.isActive) {
    const isPending =
      isEmbedded(env) && (await findPending(db, token.sessionId, token.userId, now)) !== undefined;
    throw apiError(isPending ? 'second_factor_unfinished' : 'session_ended');
  }
  const user: User = { id: token.userId, email: state.account?.email ?? token.email };
  const known =
    state.user ??
    (await recordFirstRequest(db, user, addressHash(authSecret(env), user.email), now));
  if (known === null) throw apiError('session_ended');
  if (known.suspension !== null) throw apiError('suspended', { detail: known.suspension.reason });
  if (state.user !== null) await recordVisit(db, user, state.user, now);
  const mayBeAdmin = known.role === 'user' && (isInGroup(env, state) || isListed(env, user.email));
  const role = mayBeAdmin ? await grantedRole(env, db, { user, state, bearer, now }) : known.role;
  const { domains, defaultDomain } = state;
  return {
    ...user,
    role,
    sessionId: token.sessionId,
    domains,
    defaultDomain,
    // A hosted project has its own rules for second factors.
    hasSecondFactor: state.account?.hasSecondFactor ?? true,
  };
}

/**
 * Returns the caller of a request below /api/v1, from the API key in its Authorization header
 * alone. A key in the query is not read, because URLs end up in logs and histories. Throws 401 for
 * anything but a valid key, including a session's token, and 403 if the owner of the key is
 * suspended.
 */
export async function identifyKey(
  request: Request,
  env: Env,
  db: Db,
  now: number,
): Promise<KeyIdentity> {
  const secret = bearerOf(request.headers.get('Authorization') ?? '');
  if (!looksLikeKey(secret)) throw apiError('not_a_key');
  // This limit is far above those of keys. It bounds how many lookups invented keys can cause.
  await rateLimit(env.LIMIT_SITES, `key:${networkOf(request)}`);
  const found = await findKey(db, secret, now);
  if (!found.ok) throw apiError(found.reason, found.values);
  return found.identity;
}

/** Throws 401 or 403 if a key has stopped working since it was found. */
export async function requireLiveKey(
  db: Db,
  { secretHash }: KeyIdentity,
  now: number,
): Promise<void> {
  const found = await findKeyOf(db, secretHash, now);
  if (!found.ok) throw apiError(found.reason, found.values);
}

/** The name of the scheme is read without case (RFC 9110 §11.1). */
const bearerOf = (header: string): string => /^bearer +(.*)$/i.exec(header)?.[1] ?? '';

/**
 * Returns the role of a user whose email is in ADMIN_EMAILS or who is in the provider's group. The
 * former become administrators once an email from us or the hosted service has confirmed the
 * address. Neither do if an administrator has removed the role (docs/decisions.md#d38).
 */
async function grantedRole(
  env: Env,
  db: Db,
  { user, state, bearer, now }: { user: User; state: SessionState; bearer: string; now: number },
): Promise<'user' | 'admin'> {
  const hash = addressHash(authSecret(env), user.email);
  // Checked first, so that a demoted address does not cost a call to the hosted service on every
  // request.
  if (await isAdminWithheld(db, user.id, hash)) return 'user';
  if (isInGroup(env, state))
    return (await grantAdmin(db, user, hash, 'joinedGroup', now)) ? 'admin' : 'user';
  const isConfirmed =
    state.account?.proven ??
    (await orUnavailable(hasConfirmedEmail(env, bearer, user.id, user.email)));
  return isConfirmed && (await grantAdmin(db, user, hash, 'listed', now)) ? 'admin' : 'user';
}

/** False once the settings have changed, whatever the last sign-in said. */
const isInGroup = (env: Env, { account }: SessionState): boolean =>
  (env.OIDC_ADMIN_GROUP ?? '') !== '' && account?.adminIssuer === (env.OIDC_ISSUER ?? '').trim();

function isListed(env: Env, email: string): boolean {
  return (
    email !== '' &&
    (env.ADMIN_EMAILS ?? '').split(',').some((admin) => admin.trim().toLowerCase() === email)
  );
}

/** Throws 503 instead of SignInServiceDown. */
async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof SignInServiceDown)) throw error;
    logEvent('sign_in_service_down', errorFacts(error));
    throw apiError('sign_in_service_down');
  }
}
