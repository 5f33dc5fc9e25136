import { logEvent } from '#worker/log.ts';
import { isLoopback, originsOf } from '#worker/http/origins.ts';
import { AuthError } from './errors.ts';

/** The embedded service's settings, read once per request from the variables in wrangler.toml. Durations in ms. */
export type AuthSettings = {
  secret: string;
  /** `iss` of every token: the address under which this service is reached. */
  issuer: string;
  /** Where the pages are: every mailed link leads there. */
  appOrigin: string;
  autoconfirm: boolean;
  reuseMs: number;
  emailIntervalMs: number;
  linkTtlMs: number;
  /** Set where a captcha guards sign-up, resend and recovery: both of Turnstile's keys must be configured. */
  turnstileSecret: string | null;
};

const SECRET_MIN = 16;
const SECRET_MISSING =
  'AUTH_SECRET is not set (or shorter than 16 characters). The API answers nothing without it: ' +
  'make one with `openssl rand -base64 32` and store it with `wrangler secret put AUTH_SECRET` (locally: .dev.vars).';

/** Whether this deployment signs people in itself (decision 28): so unless a hosted service is configured in full. */
export function isEmbedded(env: Pick<Env, 'SUPABASE_URL' | 'SUPABASE_PUBLISHABLE_KEY'>): boolean {
  return !env.SUPABASE_URL || !env.SUPABASE_PUBLISHABLE_KEY;
}

/**
 * AUTH_SECRET, also where a hosted service signs people in: it keys the counters of networks and the hashes of addresses, and
 * a public value would let anybody compute those. There is no default. Throws 500 with a general sentence; the log says what
 * to do.
 */
export function authSecret(env: Pick<Env, 'AUTH_SECRET'>): string {
  if (env.AUTH_SECRET !== undefined && env.AUTH_SECRET.length >= SECRET_MIN) return env.AUTH_SECRET;
  logEvent('auth_not_configured', { advice: SECRET_MISSING });
  throw new AuthError(500, 'unexpected_failure', 'This server is not set up yet.');
}

export const issuerOf = (env: Env, requestUrl: string): string => `${originsOf(env, requestUrl).app}/api/auth/v1`;

/** True where mails are kept for /dev/mailbox instead of being sent: on a developer's machine only. */
export function keepsMails(env: Pick<Env, 'DEV_MAILBOX'>, requestUrl: string): boolean {
  return env.DEV_MAILBOX === 'on' && isLoopback(requestUrl);
}

export function readAuthSettings(env: Env, requestUrl: string): AuthSettings {
  const app = originsOf(env, requestUrl).app;
  return {
    secret: authSecret(env),
    issuer: issuerOf(env, requestUrl),
    appOrigin: app,
    autoconfirm: /^(on|true|1|yes)$/i.test(env.AUTH_AUTOCONFIRM ?? ''),
    reuseMs: seconds(env.AUTH_REFRESH_REUSE_SECONDS, 10),
    emailIntervalMs: seconds(env.AUTH_EMAIL_INTERVAL_SECONDS, 60),
    linkTtlMs: seconds(env.AUTH_LINK_TTL_SECONDS, 3600),
    turnstileSecret: (env.TURNSTILE_SITE_KEY && env.TURNSTILE_SECRET_KEY) || null,
  };
}

function seconds(value: string | undefined, fallback: number): number {
  const parsed = value === undefined || value.trim() === '' ? Number.NaN : Number(value);
  return (Number.isFinite(parsed) && parsed >= 0 ? parsed : fallback) * 1000;
}
