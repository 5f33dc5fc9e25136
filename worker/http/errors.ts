import type { Context } from 'hono';
import { ERROR_CODES, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { StorageError } from '#worker/db/storage-error.ts';
import type { ApiEnv } from './context.ts';
import { errorFacts, logEvent } from '#worker/log.ts';

type Extra = { field?: string; upgradeRequired?: boolean; retryAfter?: number; allow?: readonly string[] };

/**
 * An expected refusal. `code` fixes the status; `message` is the sentence a person reads; `retryAfter` is in seconds;
 * `allow` are the methods of a 405.
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

/** The one place where an error becomes a response. Unknown errors say nothing of their cause to the client. */
export function onError(error: Error, c: Context<ApiEnv>): Response {
  const known = error instanceof ApiError ? error : fromUnknown(error, c);
  const { retryAfter, allow, ...rest } = known.extra;
  const body: ErrorBody = { error: known.message, code: known.code, requestId: c.get('requestId'), ...rest };
  if (allow !== undefined) c.header('Allow', allow.join(', '));
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  return c.json(body, ERROR_CODES[known.code]);
}

/** What D1, KV and the network say when they cannot be reached or are overloaded. */
const STORAGE_DOWN = /D1_|D1 DB|KV |storage|Network connection lost|overloaded|timed? ?out/i;

/** Errors of a statement, not of the database: trying again would not help. */
const OUR_FAULT = /constraint|syntax error|no such (table|column|function)|SQLITE_(ERROR|CONSTRAINT|MISMATCH|RANGE)/i;

function fromUnknown(error: Error, c: Context<ApiEnv>): ApiError {
  const facts = errorFacts(error);
  logEvent('request_failed', { requestId: c.get('requestId'), path: c.req.path, ...facts });
  return error instanceof StorageError || (STORAGE_DOWN.test(facts.error) && !OUR_FAULT.test(facts.error))
    ? new ApiError('unavailable', 'The service cannot reach its storage just now. Please try again in a moment.', {
        retryAfter: 5,
      })
    : new ApiError('internal', 'Something went wrong on our side. Please try again.');
}
