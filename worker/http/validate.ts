import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { ApiEnv, Identity, KeyIdentity } from './context.ts';
import { describeIssue } from './describe-issue.ts';
import { ApiError } from './errors.ts';
import { isJsonType, readBodyText } from './read-body.ts';

export const BODY_MAX_BYTES = 16 * 1024;
/** For blog posts and for lists of links or hosts. */
export const LARGE_BODY_MAX_BYTES = 256 * 1024;

/**
 * Returns the request's JSON body, parsed by `schema`. Throws 415 for another content type, 413 for more than `maxBytes`
 * (counted on the stream, because a client chooses its Content-Length), 400 for bad JSON or a body that fails the schema.
 */
export async function readJson<T>(c: Context<ApiEnv>, schema: z.ZodMiniType<T>, maxBytes = BODY_MAX_BYTES): Promise<T> {
  if (!isJsonType(c.req.header('Content-Type')))
    throw new ApiError('unsupported_media_type', 'Send the body as application/json.');
  const body = await readBodyText(c.req.raw.body, maxBytes);
  if (!body.ok)
    throw body.reason === 'too_large'
      ? new ApiError('body_too_large', `The body is larger than the limit of ${Math.floor(maxBytes / 1024)} KB.`)
      : new ApiError('invalid_json', 'The body is not valid UTF-8.');
  let json: unknown;
  try {
    json = JSON.parse(body.text);
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid JSON.');
  }
  return check(schema, json, 'invalid_body');
}

/** Returns the query parameters, parsed by `schema`. Throws 400. */
export function readQuery<T>(c: Context<ApiEnv>, schema: z.ZodMiniType<T>): T {
  return check(schema, c.req.query(), 'invalid_query');
}

/** The signed-in caller of a route whose rule is `member` or `admin`. */
export function requireMember(c: Context<ApiEnv>): Identity {
  const identity = c.get('identity');
  if (identity === null) throw new ApiError('unauthenticated', 'Sign in to continue.');
  return identity;
}

/** The caller of a route below /api/v1 that takes a key. */
export function requireKey(c: Context<ApiEnv>): KeyIdentity {
  const key = c.get('key');
  if (key === null) throw new ApiError('unauthenticated', 'Send an API key.');
  return key;
}

function check<T>(schema: z.ZodMiniType<T>, value: unknown, code: 'invalid_body' | 'invalid_query'): T {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const field = issues[0]?.path.join('.') ?? '';
  throw new ApiError(code, issues[0]?.message ?? 'The request is not valid.', field === '' ? { issues } : { field, issues });
}
