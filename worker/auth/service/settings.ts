import { KEEP_SESSIONS_DAYS, PASSWORD_LONGEST_MIN, PASSWORD_MIN } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { logEvent } from '#worker/log.ts';
import { originsOf } from '#worker/http/origins.ts';
import { usesLocalMailbox } from '#worker/mail/local-mailbox.ts';
import {
  allowsPasswords,
  readSignUpRule,
  type SignUpRule,
} from '#worker/redirect/sign-in-settings.ts';
import { AuthError } from './errors.ts';
import { readOidcSettings, type OidcSettings } from './oidc-settings.ts';

/**
 * Settings of the embedded sign-in service, read once per request from the deployment's variables.
 * Durations in ms.
 */
export type AuthSettings = {
  secret: string;
  /** The `iss` claim of every token: the URL of this service. */
  issuer: string;
  /** The origin of the application, whose pages mailed links open. */
  appOrigin: string;
  /**
   * True if emails go to the local mailbox. Limits that protect strangers and capacity do not count
   * then.
   */
  isLocal: boolean;
  autoconfirm: boolean;
  /**
   * How long after a refresh older tokens still work, for tabs that refresh at the same time and
   * for lost answers.
   */
  refreshReuseMs: number;
  /** How long a session lasts from its sign-in, however often it is refreshed. */
  sessionMaxMs: number;
  emailIntervalMs: number;
  linkTtlMs: number;
  /** Null unless both Turnstile keys are set. Then sign-up, resend and recovery need a captcha. */
  turnstileSecret: string | null;
  /** Null without a provider. */
  oidc: OidcSettings | null;
  /** False if only the provider signs people in. */
  passwords: boolean;
  signUp: SignUpRule;
  /** The fewest characters of a new password. */
  passwordMin: number;
};

const SECRET_MIN_LENGTH = 16;
const SECRET_MISSING =
  'AUTH_SECRET is not set, or is shorter than 16 characters. Without it the API answers 500. ' +
  'Create one with `openssl rand -base64 32` and store it with `wrangler secret put AUTH_SECRET` (locally: .dev.vars).';

/**
 * Reads AUTH_SECRET, which a deployment with a hosted sign-in service needs too: it keys the
 * counters of networks and the hashes of addresses. There is no default, because anybody could
 * compute those hashes with a public value. Throws 500 with a general message; the log says what to
 * do.
 */
export function authSecret(env: Pick<Env, 'AUTH_SECRET'>): string {
  if (env.AUTH_SECRET !== undefined && env.AUTH_SECRET.length >= SECRET_MIN_LENGTH)
    return env.AUTH_SECRET;
  logEvent('auth_not_configured', { advice: SECRET_MISSING });
  throw new AuthError('not_set_up');
}

/**
 * RFC 7518 §3.2: an HS256 key has at least as many bytes as its hash. Keys of hosted projects have
 * 40 or more.
 */
const JWT_SECRET_MIN_BYTES = 32;

/**
 * The key of a hosted project that signs tokens with HS256; null if none is set. A shorter key
 * could be guessed from a single token, so it throws 500 as `authSecret` does.
 */
export function hostedJwtSecret(env: Pick<Env, 'SUPABASE_JWT_SECRET'>): Uint8Array | null {
  const secret = new TextEncoder().encode(env.SUPABASE_JWT_SECRET ?? '');
  if (secret.length === 0) return null;
  if (secret.length >= JWT_SECRET_MIN_BYTES) return secret;
  const advice = `SUPABASE_JWT_SECRET is shorter than ${JWT_SECRET_MIN_BYTES} bytes, so no session is accepted. Copy the JWT secret of the hosted project, or delete the variable if the project publishes its keys.`;
  logEvent('auth_not_configured', { advice });
  throw new AuthError('not_set_up');
}

export const issuerOf = (env: Env, requestUrl: string): string =>
  `${originsOf(env, requestUrl).app}/api/auth/v1`;

/**
 * How long a session of the embedded sign-in lasts from its sign-in, in ms: at most
 * KEEP_SESSIONS_DAYS, which the Privacy page names.
 */
export function sessionMaxMs(env: Pick<Env, 'AUTH_SESSION_MAX_DAYS'>): number {
  const days = Number(env.AUTH_SESSION_MAX_DAYS);
  return (days > 0 ? Math.min(days, KEEP_SESSIONS_DAYS) : KEEP_SESSIONS_DAYS) * DAY_MS;
}

/** PASSWORD_MIN_LENGTH. Anything but a number within its bounds acts as the nearest of them. */
export function passwordMin(env: Pick<Env, 'PASSWORD_MIN_LENGTH'>): number {
  const length = Math.floor(Number(env.PASSWORD_MIN_LENGTH));
  return length > PASSWORD_MIN ? Math.min(length, PASSWORD_LONGEST_MIN) : PASSWORD_MIN;
}

export function readAuthSettings(env: Env, requestUrl: string): AuthSettings {
  const app = originsOf(env, requestUrl).app;
  return {
    secret: authSecret(env),
    issuer: issuerOf(env, requestUrl),
    appOrigin: app,
    isLocal: usesLocalMailbox(env, requestUrl),
    autoconfirm: /^(on|true|1|yes)$/i.test(env.AUTH_AUTOCONFIRM ?? ''),
    refreshReuseMs: seconds(env.AUTH_REFRESH_REUSE_SECONDS, 60),
    sessionMaxMs: sessionMaxMs(env),
    emailIntervalMs: seconds(env.AUTH_EMAIL_INTERVAL_SECONDS, 60),
    linkTtlMs: seconds(env.AUTH_LINK_TTL_SECONDS, 3600),
    turnstileSecret: (env.TURNSTILE_SITE_KEY && env.TURNSTILE_SECRET_KEY) || null,
    oidc: readOidcSettings(env),
    passwords: allowsPasswords(env),
    signUp: readSignUpRule(env.SIGN_UP),
    passwordMin: passwordMin(env),
  };
}

/** Converts a variable in seconds to ms. */
function seconds(value: string | undefined, fallback: number): number {
  const parsed = value === undefined || value.trim() === '' ? Number.NaN : Number(value);
  return (Number.isFinite(parsed) && parsed >= 0 ? parsed : fallback) * 1000;
}

/** True for an administrator who must show a second factor before the admin pages open. */
export const needsSecondFactor = (
  env: Pick<Env, 'ADMIN_REQUIRES_2FA'>,
  { role, hasSecondFactor }: { role: 'user' | 'admin'; hasSecondFactor: boolean },
): boolean =>
  role === 'admin' &&
  !hasSecondFactor &&
  /^(on|true|1|yes)$/i.test((env.ADMIN_REQUIRES_2FA ?? '').trim());
