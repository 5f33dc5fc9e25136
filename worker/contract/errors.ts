/** The one error shape of the API (decision 31): `{ error, code, requestId, … }`. */

export const ERROR_CODES = {
  invalid_json: 400,
  invalid_body: 400,
  invalid_query: 400,
  invalid_target: 400,
  invalid_alias: 400,
  reserved_alias: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  reauthentication_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  alias_taken: 409,
  slug_taken: 409,
  conflict: 409,
  gone: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  quota_reached: 429,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export type ErrorBody = {
  /** A sentence for a person. */
  error: string;
  /** A stable word for programs. */
  code: ErrorCode;
  requestId: string;
  /** The input member at fault, where there is one. */
  field?: string;
  /** Only on 429: true where a bigger plan would help (quota), false where waiting does. */
  upgradeRequired?: boolean;
};
