import { formatNumber, listAny } from '#contract/language.ts';
import type * as z from 'zod/mini';
import type { Context } from 'hono';
import type { ApiEnv, Identity, KeyIdentity } from './context.ts';
import { ApiError, apiError } from './errors.ts';
import { isJsonType } from './read-body.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'a JSON object',
};
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/**
 * Returns the message for input that a schema rejects, unless the schema has its own message. It
 * names the field as the API does and says what is allowed.
 */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  const name = nameOf(issue.path);
  const rule = ruleOf(issue);
  return issue.input === undefined ? `${name} is missing. It ${rule}.` : `${name} ${rule}.`;
}

const nameOf = (path: readonly PropertyKey[] | undefined): string =>
  path === undefined || path.length === 0 ? 'The body' : path.map(String).join('.');

/** Patterns and conditions have no general description; their schemas have their own messages. */
function ruleOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${listOf(issue.values)}`;
    case 'invalid_union':
      return `must be ${listOf(Array.isArray(issue.options) ? issue.options : [])}`;
    case 'too_big':
      return `can ${verbOf(issue.origin)} at most ${sizeOf(issue.maximum, issue.origin)}`;
    case 'too_small':
      return `must ${verbOf(issue.origin)} at least ${sizeOf(issue.minimum, issue.origin)}`;
    default:
      return 'is not valid';
  }
}

const listOf = (values: readonly unknown[]): string =>
  listAny(values.map((value) => JSON.stringify(value)));

const verbOf = (origin: string): string => (origin in UNITS ? 'have' : 'be');

const sizeOf = (size: number | bigint, origin: string): string =>
  `${formatNumber(Number(size))}${UNITS[origin] ?? ''}`;

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
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const field = issues[0]?.path.join('.') ?? '';
  throw new ApiError(
    code,
    issues[0]?.message ?? 'The request is not valid.',
    field === '' ? { issues } : { field, issues },
  );
}
