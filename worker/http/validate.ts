import type * as z from 'zod/mini';
import type { Context } from 'hono';
import { JSON_TYPE, PATCH_TYPES } from '#contract/pages/media-types.ts';
import { INVALID_INPUT, inputMessage, repeatedParameter } from '#worker/messages/input.ts';
import { idFromCursor } from '#worker/db/paginate.ts';
import type { ErrorReason } from '#worker/messages/api-errors.ts';
import type { ApiEnv, Identity, KeyIdentity } from './context.ts';
import { ApiError, apiError, type InputIssue } from './errors.ts';
import { isJsonType } from './read-body.ts';

/**
 * Returns the request's JSON body, parsed by `schema`. Throws 415 for another content type, 413 for
 * a body over the route's limit, 408 for a body that took too long, and 400 for invalid JSON or a
 * body that fails the schema.
 */
export function readJson<T>(c: Context<ApiEnv>, schema: z.ZodMiniType<T>): T {
  const text = readJsonText(c, c.req.method === 'PATCH' ? PATCH_TYPES : [JSON_TYPE]);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw apiError('not_json');
  }
  return check(schema, json, 'invalid_body');
}

/** Returns the body of a request of one of these media types. Throws 415, 413 and 408. */
export function readJsonText(c: Context<ApiEnv>, types: readonly string[] = [JSON_TYPE]): string {
  if (!isJsonType(c.req.header('Content-Type'), types)) throw apiError('not_json_type');
  const body = c.get('body');
  if (!body.ok)
    throw apiError(body.reason, body.reason === 'too_large' ? { amount: body.maxBytes } : {});
  return body.text;
}

/** Returns the query parameters, parsed by `schema`. Throws 400, also for a repeated parameter. */
export function readQuery<T>(c: Context<ApiEnv>, schema: z.ZodMiniType<T>): T {
  const given = new URL(c.req.url).searchParams;
  const repeated = [...new Set(given.keys())].filter((name) => given.getAll(name).length > 1);
  if (repeated.length > 0)
    throw invalidInput(
      'invalid_query',
      repeated.map((name) => ({ path: [name], message: repeatedParameter(name) })),
    );
  return check(schema, Object.fromEntries(given), 'invalid_query');
}

/**
 * Returns the signed-in caller of a route for members or administrators. Throws 401 for a visitor.
 */
export function requireMember(c: Context<ApiEnv>): Identity {
  const identity = c.get('identity');
  if (identity === null) throw apiError('not_signed_in');
  return identity;
}

/** Returns the id in the path; 0, which nothing has, for a path without a valid one. */
export const idParam = (c: Context<ApiEnv>): number => idFromCursor(c.req.param('id') ?? '') ?? 0;

/** Returns the caller of a route that requires an API key. Throws 401 if there is none. */
export function requireKey(c: Context<ApiEnv>): KeyIdentity {
  const key = c.get('key');
  if (key === null) throw apiError('no_key');
  return key;
}

/** Returns the owner of an API key that acts on the account. Throws `reason` for a code prefix. */
export function requireAccount(c: Context<ApiEnv>, reason: ErrorReason): string {
  const { userId, codePrefix } = requireKey(c);
  if (codePrefix !== '') throw apiError(reason);
  return userId;
}

function check<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  code: 'invalid_body' | 'invalid_query',
): T {
  const parsed = parseInput(schema, value);
  if (parsed.ok) return parsed.data;
  throw invalidInput(code, parsed.issues);
}

/** Parses a value, or returns what is wrong with it: one issue for each unknown member. */
export function parseInput<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
): { ok: true; data: T } | { ok: false; issues: InputIssue[] } {
  const parsed = schema.safeParse(value, { error: inputMessage });
  if (parsed.success) return { ok: true, data: parsed.data };
  const issues = parsed.error.issues.flatMap((issue): InputIssue[] => {
    if (issue.code !== 'unrecognized_keys') return [issue];
    const sentences = issue.message.split('\n');
    return issue.keys.map((key, at) => ({
      path: [...issue.path, key],
      message: sentences[at] ?? issue.message,
    }));
  });
  return { ok: false, issues };
}

export function invalidInput(
  code: 'invalid_body' | 'invalid_query',
  issues: readonly InputIssue[],
): ApiError {
  const field = issues[0]?.path.join('.') ?? '';
  return new ApiError(
    code,
    issues[0]?.message ?? INVALID_INPUT,
    field === '' ? { issues } : { field, issues },
  );
}
