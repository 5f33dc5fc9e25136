import * as z from 'zod/mini';
import type { ErrorCode } from '#contract/errors.ts';

/** The codes of all errors that a route of this API can return. */
export const V1_CODES = [
  'invalid_json',
  'invalid_body',
  'invalid_query',
  'invalid_header',
  'invalid_target',
  'invalid_alias',
  'reserved_alias',
  'unauthenticated',
  'payment_required',
  'forbidden',
  'insufficient_scope',
  'not_found',
  'method_not_allowed',
  'alias_taken',
  'external_id_taken',
  'conflict',
  'request_in_progress',
  'precondition_failed',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'quota_reached',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorCode[];
export type V1Code = (typeof V1_CODES)[number];
export const v1Code = z.enum(V1_CODES);

/** One part of the request that is at fault. */
export const problemPart = z.object({
  detail: z.string(),
  /** A JSON pointer into the body (RFC 6901). */
  pointer: z.optional(z.string()),
  parameter: z.optional(z.string()),
  header: z.optional(z.string()),
});
export type ProblemPart = z.infer<typeof problemPart>;

/** Every error, as application/problem+json (RFC 9457). Programs read `code`. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: v1Code,
  requestId: z.string(),
  errors: z.optional(z.array(problemPart)),
  /** Only with `quota_reached` and `rate_limited`: whether a bigger plan would help. */
  upgradeRequired: z.optional(z.boolean()),
});
export type Problem = z.infer<typeof problem>;
