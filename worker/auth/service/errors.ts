import type { Context } from 'hono';
import { MINUTE_MS } from '#contract/time.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';

/**
 * The error codes of the sign-in service: those of Supabase Auth, with which it is compatible, and
 * a few more.
 */
export type AuthCode =
  | 'anonymous_provider_disabled'
  | 'bad_json'
  | 'bad_jwt'
  | 'captcha_failed'
  | 'captcha_unreachable'
  | 'conflict'
  | 'current_password_invalid'
  | 'current_password_required'
  | 'email_not_confirmed'
  | 'invalid_credentials'
  | 'no_authorization'
  | 'not_admin'
  | 'not_found'
  | 'otp_expired'
  | 'over_email_send_rate_limit'
  | 'over_request_rate_limit'
  | 'phone_provider_disabled'
  | 'refresh_token_already_used'
  | 'refresh_token_not_found'
  | 'request_timeout'
  | 'same_password'
  | 'session_expired'
  | 'session_not_found'
  | 'unexpected_failure'
  | 'user_already_exists'
  | 'user_banned'
  | 'user_not_found'
  | 'validation_failed'
  | 'weak_password';

type Extra = { weakReasons?: string[]; retryAfter?: number };

/** An expected error of the sign-in service. `retryAfter` is in seconds. */
export class AuthError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  readonly code: AuthCode;
  readonly extra: Extra;
  constructor(status: AuthError['status'], code: AuthCode, message: string, extra: Extra = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

export const badInput = (message: string): AuthError =>
  new AuthError(400, 'validation_failed', message);

/** A 429 that says how long to wait: `message` gets "1 minute", "20 minutes" or "5 hours". */
export function tooManyRequests(
  code: 'over_request_rate_limit' | 'over_email_send_rate_limit',
  retryAfterMs: number,
  message: (wait: string) => string,
): AuthError {
  return new AuthError(429, code, message(formatWait(retryAfterMs)), {
    retryAfter: Math.ceil(retryAfterMs / 1000),
  });
}

function formatWait(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

const API_VERSION = '2024-01-01';

/**
 * Answers in the envelope that the client asks for: the new one from API version 2024-01-01 on,
 * otherwise the old one.
 */
export function onAuthError(error: Error, c: Context<ApiEnv>): Response {
  // Drizzle wraps what a write throws whose right has ended (db/guard-writes.ts).
  const thrown = error.cause instanceof AuthError ? error.cause : error;
  const known = thrown instanceof AuthError ? thrown : unexpected(thrown, c);
  const version = c.req.header('X-Supabase-Api-Version') ?? '';
  const isModern = /^\d{4}-\d\d-\d\d$/.test(version) && version >= API_VERSION;
  const { weakReasons, retryAfter } = known.extra;
  const weak = weakReasons === undefined ? {} : { weak_password: { reasons: weakReasons } };
  const errorId = known.status >= 500 ? { error_id: c.get('requestId') } : {};
  c.header('x-sb-error-code', known.code);
  if (isModern) c.header('X-Supabase-Api-Version', API_VERSION);
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  return isModern
    ? c.json({ code: known.code, message: known.message, ...weak }, known.status)
    : c.json(
        { code: known.status, error_code: known.code, msg: known.message, ...errorId, ...weak },
        known.status,
      );
}

/**
 * Converts an AuthError to the API's own error, for routes outside the sign-in service that check a
 * password or a token: 500 for a missing AUTH_SECRET, 429 while too many passwords are being
 * hashed. Returns any other error unchanged.
 */
export function toApiError(error: Error): Error {
  if (!(error instanceof AuthError)) return error;
  if (error.status === 500) return new ApiError('internal', error.message);
  if (error.status !== 429) return error;
  return new ApiError('rate_limited', error.message, {
    upgradeRequired: false,
    retryAfter: error.extra.retryAfter ?? 60,
  });
}

/**
 * An unexpected error is always a 5xx: a 4xx while a session is refreshed would sign the person
 * out.
 */
function unexpected(error: Error, c: Context<ApiEnv>): AuthError {
  logEvent('auth_failed', {
    requestId: c.get('requestId'),
    path: c.req.path,
    ...errorFacts(error),
  });
  return new AuthError(
    500,
    'unexpected_failure',
    'Unexpected failure, please check server logs for more information',
  );
}
