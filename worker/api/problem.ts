import type { Context } from 'hono';
import { ERROR_CODES, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import type { ApiEnv } from './context.ts';
import { logEvent } from './log.ts';

type Extra = { field?: string; upgradeRequired?: boolean; retryAfter?: number };

/** An expected refusal. `code` fixes the status; `message` is the sentence a person reads; `retryAfter` is in seconds. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly extra: Extra;
  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }
}

/** The one place where an error becomes a response. Unknown errors say nothing of their cause to the client. */
export function onError(error: Error, c: Context<ApiEnv>): Response {
  const known = error instanceof ApiError ? error : fromUnknown(error, c);
  const { retryAfter, ...rest } = known.extra;
  const body: ErrorBody = { error: known.message, code: known.code, requestId: c.get('requestId'), ...rest };
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  return c.json(body, ERROR_CODES[known.code]);
}

function fromUnknown(error: Error, c: Context<ApiEnv>): ApiError {
  const storage = /D1_|KV |storage|Network connection lost|overloaded/i.test(error.message);
  logEvent('request_failed', { requestId: c.get('requestId'), path: c.req.path, error: error.message, stack: error.stack ?? '' });
  return storage
    ? new ApiError('unavailable', 'The service cannot reach its storage just now. Please try again in a moment.', {
        retryAfter: 5,
      })
    : new ApiError('internal', 'Something went wrong on our side. Please try again.');
}
