import type { Context } from 'hono';
import { isOutage } from '#worker/db/outage.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import {
  describeProblem,
  refuse,
  weaknessOf,
  type Reason,
  type Refusal,
  type Result,
} from './problems.ts';

export class AuthError extends Error {
  readonly refusal: Refusal;
  constructor(reason: Reason, values: Omit<Refusal, 'ok' | 'reason'> = {}) {
    super(reason);
    this.refusal = refuse(reason, values);
  }
}

/** Returns the value of a successful result. Throws an AuthError for a refusal. */
export function valueOrThrow<T>(result: Result<T>): T {
  if (!result.ok) throw new AuthError(result.reason, result);
  return result.value;
}

const API_VERSION = '2024-01-01';

/**
 * Answers in the error format that the client requests: the new one from API version 2024-01-01 on,
 * otherwise the old one.
 */
export function onAuthError(error: Error, c: Context<ApiEnv>): Response {
  // Drizzle wraps the error that a write throws after the caller's right has ended
  // (db/guard-writes.ts).
  const thrown = error.cause instanceof AuthError ? error.cause : error;
  const { refusal } = thrown instanceof AuthError ? thrown : unexpected(thrown, c);
  const { status, code, message, retryAfter } = describeProblem(refusal);
  const version = c.req.header('X-Supabase-Api-Version') ?? '';
  const isModern = /^\d{4}-\d\d-\d\d$/.test(version) && version >= API_VERSION;
  const weakness = weaknessOf(refusal.reason);
  const weak = weakness === null ? {} : { weak_password: { reasons: [weakness] } };
  const errorId = status >= 500 ? { error_id: c.get('requestId') } : {};
  c.header('x-sb-error-code', code);
  if (isModern) c.header('X-Supabase-Api-Version', API_VERSION);
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  return isModern
    ? c.json({ code, message, ...weak }, status)
    : c.json({ code: status, error_code: code, msg: message, ...errorId, ...weak }, status);
}

/**
 * Converts an AuthError to the API's own error, for routes outside the sign-in service that check a
 * password or a token: 500 for a missing AUTH_SECRET, 429 for a limit. Returns any other error
 * unchanged.
 */
export function toApiError(error: Error): Error {
  if (!(error instanceof AuthError)) return error;
  const { status, message, retryAfter = 60 } = describeProblem(error.refusal);
  if (status === 500) return new ApiError('internal', message);
  if (status !== 429) return error;
  return new ApiError('rate_limited', message, { upgradeRequired: false, retryAfter });
}

/** Answers an unexpected error with a 5xx: a 4xx during a refresh would sign the person out. */
function unexpected(error: Error, c: Context<ApiEnv>): AuthError {
  logEvent('auth_failed', {
    requestId: c.get('requestId'),
    path: c.req.path,
    ...errorFacts(error),
  });
  return new AuthError(isOutage(error) ? 'storage_down' : 'unexpected');
}
