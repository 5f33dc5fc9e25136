import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import { networkOf } from '#worker/http/client-address.ts';
import { logEvent } from '#worker/log.ts';
import { isMetadata } from './user-json.ts';
import type { AuthContext } from './context.ts';
import { describeProblem, type Refusal, type Result } from './problems.ts';
import { authSecret } from './settings.ts';

/**
 * How a session began, or would have begun. `current_password` is asked for before a sensitive
 * change, within a session.
 */
export type SignInMethod = 'password' | 'link' | 'code' | 'sign_up' | 'current_password';

/**
 * The fingerprints of an address and a network in the log: the same for the same value, so that an
 * operator can see an attack, but useless without AUTH_SECRET, and different from every hash in the
 * database. Unknown addresses have one like known ones.
 */
const fingerprints = (secret: string, email: string | null, network: string) => ({
  account: email === null ? null : fingerprint(secret, 'account', email),
  network: fingerprint(secret, 'network', network),
});

const fingerprint = (secret: string, kind: string, value: string): string =>
  keyedHash(secret, `log:${kind}`, value).slice(0, 16);

/**
 * Logs the result of an attempt to sign in: `auth_signed_in` if it started a session, or
 * `auth_sign_in_refused` with the code of the answer. `email` is null where only a token is known.
 * The frequency of attempts is limited per network before they get here.
 */
export function logSignIn(
  context: AuthContext,
  method: SignInMethod,
  email: string | null,
  result: Result<object>,
): void {
  if (!result.ok) logRefusedSignIn(context, method, email, result);
  else if ('access_token' in result.value)
    logEvent('auth_signed_in', {
      method,
      ...fingerprintsOf(context, email ?? emailIn(result.value)),
    });
}

/** Logs that a password, code or link was not accepted. */
export function logRefusedSignIn(
  context: AuthContext,
  method: SignInMethod,
  email: string | null,
  refusal: Refusal,
): void {
  const reason = describeProblem(refusal).code;
  logEvent('auth_sign_in_refused', { method, reason, ...fingerprintsOf(context, email) });
}

/**
 * Logs that a signed-in person who is not an administrator asked for what only administrators may
 * do, or presented a link that makes nobody an administrator. `area` is the part of the admin API,
 * without ids and values.
 */
export function logRefusedAdmin(
  event: 'admin_refused' | 'admin_claim_refused',
  env: Pick<Env, 'AUTH_SECRET'>,
  request: Request,
  person: { email: string },
): void {
  const area = new URL(request.url).pathname.split('/').slice(0, 4).join('/');
  logEvent(event, {
    method: request.method,
    area,
    ...fingerprints(authSecret(env), person.email, networkOf(request)),
  });
}

/**
 * Logs that a session ended because somebody presented a refresh token that had been replaced
 * `ageMs` before.
 */
export function logReusedToken(
  context: AuthContext,
  email: string,
  steps: number,
  ageMs: number,
): void {
  logEvent('auth_refresh_token_reused', {
    ...fingerprintsOf(context, email),
    steps,
    refreshed_before_s: Math.floor(ageMs / 1000),
  });
}

/** The address of the account in the answer to a sign-in. */
function emailIn(answer: object): string | null {
  const user = 'user' in answer ? answer.user : null;
  const email = isMetadata(user) ? user['email'] : null;
  return typeof email === 'string' ? email : null;
}

const fingerprintsOf = ({ settings, network }: AuthContext, email: string | null) =>
  fingerprints(settings.secret, email, network);
