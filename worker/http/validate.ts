import type * as z from 'zod/mini';
import type { Context } from 'hono';
import { INVALID_INPUT, inputMessage } from '#worker/messages/input.ts';
import type { ApiEnv, Identity, KeyIdentity } from './context.ts';
import { ApiError, apiError } from './errors.ts';
import { isJsonType } from './read-body.ts';

/**
 * Returns the request's JSON body, parsed by `schema`. Throws 415 for another content type, 413 for
 * a body over the route's limit, 408 for a body that took too long, and 400 for invalid JSON or a
 * body that fails the schema.
 */
export function readJson<T>(c: Context<ApiEnv>, schema: z.ZodMiniType<T>): T {
  if (!isJsonType(c.req.header('Content-Type'))) throw apiError('not_json_type');
  const body = c.get('body');
  if (!body.ok)
    throw apiError(body.reason, body.reason === 'too_large' ? { amount: body.maxBytes } : {});
  let json: unknown;
  try {
    json = JSON.parse(body.text);
  } catch {
    throw apiError('not_json');
  }
  return check(schema, json, 'invalid_body');
}

/** Returns the query parameters, parsed by `schema`. Throws 400. */
export function readQuery<T>(c: Context<ApiEnv>, schema: z.ZodMiniType<T>): T {
  return check(schema, c.req.query(), 'invalid_query');
}

/**
 * Returns the signed-in caller of a route for members or administrators. Throws 401 for a visitor.
 */
export function requireMember(c: Context<ApiEnv>): Identity {
  const identity = c.get('identity');
  if (identity === null) throw apiError('not_signed_in');
  return identity;
}

/** Returns the caller of a route that requires an API key. Throws 401 if there is none. */
export function requireKey(c: Context<ApiEnv>): KeyIdentity {
  const key = c.get('key');
  if (key === null) throw apiError('no_key');
  return key;
}

function check<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  code: 'invalid_body' | 'invalid_query',
): T {
  const parsed = schema.safeParse(value, { error: inputMessage });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const field = issues[0]?.path.join('.') ?? '';
  throw new ApiError(
    code,
    issues[0]?.message ?? INVALID_INPUT,
    field === '' ? { issues } : { field, issues },
  );
}
