import type { Context } from 'hono';
import { ERROR_CODES, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { API_ERRORS, type ErrorReason } from '#worker/messages/api-errors.ts';
import type { ErrorEntry, ErrorExtra, ErrorValues } from '#worker/messages/error-entry.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { isOutage } from '#worker/db/outage.ts';
import type { ApiEnv } from './context.ts';

/** An invalid part of the input: its path in the body or the query, and what to change. */
export type InputIssue = { path: readonly PropertyKey[]; message: string };

type Extra = ErrorExtra & {
  allow?: readonly string[];
  /** All issues of the input. `field` is the path of the first one. */
  issues?: readonly InputIssue[];
};

/**
 * An expected error of a route. `code` determines the status; `message` is shown to the person;
 * `retryAfter` is in seconds; `allow` lists the methods of a 405.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly extra: Extra;
  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }
}

/**
 * Returns the error for a reason, with the values of its sentence and further members. Example:
 * `throw apiError('suspended', { detail: reason })`
 */
export function apiError(
  reason: ErrorReason,
  {
    detail = '',
    amount = 0,
    plan = 'free',
    target = 'not_a_link',
    ...extra
  }: Partial<ErrorValues> & Extra = {},
): ApiError {
  const [code, text, always]: ErrorEntry = API_ERRORS[reason];
  const message = typeof text === 'string' ? text : text({ detail, amount, plan, target });
  return new ApiError(code, message, { ...always, ...extra });
}

/**
 * Converts every error of the API into the same JSON shape. The cause of an unexpected error is
 * logged and never sent.
 */
export function onError(error: Error, c: Context<ApiEnv>): Response {
  const known = toKnownError(error, c);
  const { retryAfter, allow, issues: _, ...rest } = known.extra;
  const body: ErrorBody = {
    error: known.message,
    code: known.code,
    requestId: c.get('requestId'),
    ...rest,
  };
  if (allow !== undefined) c.header('Allow', allow.join(', '));
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  return c.json(body, ERROR_CODES[known.code]);
}

/**
 * The error message of D1 on the platform's free plan once the daily row limit is reached, until
 * midnight UTC
 * (https://developers.cloudflare.com/changelog/2026-09-01-d1-free-tier-limit-enforcement/).
 */
const DAY_USED_UP = /free tier daily row (?:read|write) limit/;

/**
 * Returns the error itself if a route threw it on purpose. Logs any other error and returns a 500,
 * or a 503 if storage is down.
 */
export function toKnownError(error: Error, c: Context<ApiEnv>): ApiError {
  if (error instanceof ApiError) return error;
  // Drizzle wraps the error of a write whose caller has lost access (db/guard-writes.ts).
  if (error.cause instanceof ApiError) return error.cause;
  const facts = errorFacts(error);
  logEvent('request_failed', { requestId: c.get('requestId'), path: c.req.path, ...facts });
  if (DAY_USED_UP.test(facts.error)) return apiError('hosting_plan_used_up');
  return apiError(isOutage(error) ? 'storage_down' : 'unexpected');
}
