/** The error format of the API: `{ error, code, requestId, … }` (docs/decisions.md#d31). */

export const ERROR_CODES = {
  invalid_json: 400,
  invalid_body: 400,
  invalid_query: 400,
  invalid_header: 400,
  invalid_target: 400,
  invalid_alias: 400,
  reserved_alias: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  reauthentication_required: 403,
  second_factor_required: 403,
  second_factor_setup_required: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  alias_taken: 409,
  external_id_taken: 409,
  slug_taken: 409,
  conflict: 409,
  request_in_progress: 409,
  gone: 410,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  idempotency_key_reused: 422,
  quota_reached: 429,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export type ErrorBody = {
  error: string;
  code: ErrorCode;
  requestId: string;
  field?: string;
  /**
   * Only with 429: true if a bigger plan would help. False if only waiting helps (a rate limit, or
   * the biggest plan's quota).
   */
  upgradeRequired?: boolean;
};
