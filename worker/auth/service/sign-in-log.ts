import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import { networkOf } from '#worker/http/rate-limit.ts';
import { logEvent } from '#worker/log.ts';
import { isMetadata, type Metadata } from './user-json.ts';
import type { AuthContext } from './context.ts';
import { describeProblem, type Refusal, type Result } from './problems.ts';
import { authSecret } from './settings.ts';

/**
 * How a session began, or would have begun. `current_password` is the check before a sensitive
 * change within a session; `second_factor` is the code after it or after a sign-in.
 */
export type SignInMethod =
  | 'password'
  | 'link'
  | 'code'
  | 'sso'
  | 'passkey'
  | 'sign_up'
  | 'current_password'
  | 'second_factor';

/**
 * The fingerprints of an address and a network in the log. Equal values have equal fingerprints, so
 * that an operator can recognize an attack. They are useless without AUTH_SECRET and differ from
 * every hash in the database.
 */
const fingerprints = (secret: string, email: string | null, network: string) => ({
  account: email === null ? null : fingerprint(secret, 'account', email),
  network: fingerprint(secret, 'network', network),
});

const fingerprint = (secret: string, kind: string, value: string): string =>
  keyedHash(secret, `log:${kind}`, value).slice(0, 16);

/**
 * Logs the result of an attempt to sign in: `auth_signed_in` if it started a session,
 * `auth_second_factor_asked` if it waits for one, or `auth_sign_in_refused` with the code of the
 * answer. `email` is null if only a token is known.
 */
export function logSignIn(
  context: AuthContext,
  method: SignInMethod,
  email: string | null,
  result: Result<object>,
): void {
  if (!result.ok) logRefusedSignIn(context, method, email, result);
  else if ('access_token' in result.value)
    logEvent(isPending(result.value) ? 'auth_second_factor_asked' : 'auth_signed_in', {
      method,
      ...fingerprintsOf(context, email ?? emailIn(result.value)),
    });
}

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
 * Logs that a signed-in person who is not an administrator called a route for administrators, or
 * presented an invalid link to become one. `area` is the part of the admin API, without ids and
 * values.
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
 * Logs that a session ended because a refresh token was used again `ageMs` after it had been
 * replaced.
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

const userIn = (answer: object): Metadata =>
  'user' in answer && isMetadata(answer.user) ? answer.user : {};

function emailIn(answer: object): string | null {
  const { email } = userIn(answer);
  return typeof email === 'string' ? email : null;
}

function isPending(answer: object): boolean {
  const { app_metadata } = userIn(answer);
  return isMetadata(app_metadata) && app_metadata['pending'] === true;
}

const fingerprintsOf = ({ settings, network }: AuthContext, email: string | null) =>
  fingerprints(settings.secret, email, network);
