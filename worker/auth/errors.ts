import type { Context } from 'hono';
import { errorFacts, logEvent } from '#worker/log.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';

/** The sign-in service's error words: those of the service it is compatible with. */
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

/** An expected refusal of the sign-in service; `retryAfter` is in seconds. */
export class AuthError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  readonly code: AuthCode;
  readonly extra: Extra;
  constructor(status: AuthError['status'], code: AuthCode, message: string, extra: Extra = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

export const badInput = (message: string): AuthError => new AuthError(400, 'validation_failed', message);

const API_VERSION = '2024-01-01';

/** The envelope that the client asks for: the new one for an API version since 2024, else the old one. */
export function onAuthError(error: Error, c: Context<ApiEnv>): Response {
  const known = error instanceof AuthError ? error : unexpected(error, c);
  const asked = c.req.header('X-Supabase-Api-Version') ?? '';
  const modern = /^\d{4}-\d\d-\d\d$/.test(asked) && asked >= API_VERSION;
  const { weakReasons, retryAfter } = known.extra;
  const weak = weakReasons === undefined ? {} : { weak_password: { reasons: weakReasons } };
  const errorId = known.status >= 500 ? { error_id: c.get('requestId') } : {};
  c.header('x-sb-error-code', known.code);
  if (modern) c.header('X-Supabase-Api-Version', API_VERSION);
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  return modern
    ? c.json({ code: known.code, message: known.message, ...weak }, known.status)
    : c.json({ code: known.status, error_code: known.code, msg: known.message, ...errorId, ...weak }, known.status);
}

/**
 * An error of the sign-in code in the API's own form, for routes outside the sign-in service that check a password or a token:
 * 500 for a missing AUTH_SECRET, 429 while too many passwords are hashed. Any other error is returned unchanged.
 */
export function toApiError(error: Error): Error {
  if (!(error instanceof AuthError)) return error;
  if (error.status === 500) return new ApiError('internal', error.message);
  if (error.status !== 429) return error;
  return new ApiError('rate_limited', error.message, { upgradeRequired: false, retryAfter: error.extra.retryAfter ?? 60 });
}

/** Anything unforeseen is a 5xx, never a 4xx: a 4xx at a refresh would sign the person out. */
function unexpected(error: Error, c: Context<ApiEnv>): AuthError {
  logEvent('auth_failed', { requestId: c.get('requestId'), path: c.req.path, ...errorFacts(error) });
  return new AuthError(500, 'unexpected_failure', 'Unexpected failure, please check server logs for more information');
}
