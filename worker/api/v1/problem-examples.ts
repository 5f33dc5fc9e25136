import { ALIAS_MAX } from '#contract/limits.ts';
import { ERROR_CODES } from '#contract/errors.ts';
import type { Problem, ProblemPart, V1Code } from '#contract/v1/v1-problem.ts';
import { PROBLEMS } from '#worker/messages/public-api.ts';

/** What `detail` says in the example of each error. */
const DETAILS: Readonly<Record<V1Code, string>> = {
  invalid_json: 'The body is not valid JSON.',
  invalid_body: 'A request has no member titel. Did you mean title?',
  invalid_query: 'limit must be a whole number from 1 to 100.',
  invalid_header: 'Idempotency-Key must have 1 to 255 visible ASCII characters.',
  invalid_target: 'This address is not on the public internet.',
  invalid_alias: `A code has 1 to ${ALIAS_MAX} letters, digits, hyphens and underscores.`,
  reserved_alias: 'This code is reserved.',
  unauthenticated: 'This API key is not valid. It may have been revoked.',
  payment_required: 'Bulk creation is part of Premium.',
  forbidden: 'This account is suspended. Reason: Spam.',
  insufficient_scope: 'This needs a key with the scope links:write.',
  not_found: "We couldn't find that link in your account.",
  method_not_allowed: 'This address supports GET, PATCH, DELETE only.',
  alias_taken: 'This code is taken.',
  external_id_taken: 'Another link of yours has this externalId.',
  conflict: 'The link was changed at the same time. Try again.',
  request_in_progress: 'A request with this Idempotency-Key is still running.',
  precondition_failed: 'The link has been changed since you read it.',
  request_timeout: 'The body took too long to arrive. Send the request again.',
  body_too_large: 'The body is larger than the limit of 64 KB.',
  unsupported_media_type: 'Send the body as application/json.',
  idempotency_key_reused: 'This Idempotency-Key was used for another request. Use a new key.',
  quota_reached: 'You have created as many links as your plan allows this month.',
  rate_limited: 'This key may send 60 requests a minute. Try again in 12 s.',
  internal: 'Something went wrong on our side. Try again in a moment.',
  unavailable: "We couldn't reach our database. Try again in a moment.",
};

const PARTS: Partial<Readonly<Record<V1Code, Omit<ProblemPart, 'detail'>>>> = {
  invalid_body: { pointer: '/titel' },
  invalid_query: { parameter: 'limit' },
  invalid_header: { header: 'Idempotency-Key' },
  invalid_target: { pointer: '/url' },
};

const LIMITS: ReadonlySet<V1Code> = new Set(['quota_reached', 'rate_limited']);

/** The `examples` of the document's components: an answer for each of these codes. */
export const problemExamples = (
  origin: string,
  codes: readonly V1Code[],
): Record<string, { value: Problem }> =>
  Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code, origin) }] as const));

function exampleOf(code: V1Code, origin: string): Problem {
  const [detail, part] = [DETAILS[code], PARTS[code]];
  return {
    type: `${origin}/api/v1/errors#${code}`,
    title: PROBLEMS[code].title,
    status: ERROR_CODES[code],
    detail,
    code,
    requestId: '9d2c1f0ab7e64c3d',
    ...(part === undefined ? {} : { errors: [{ detail, ...part }] }),
    ...(LIMITS.has(code) ? { upgradeRequired: true } : {}),
  };
}
