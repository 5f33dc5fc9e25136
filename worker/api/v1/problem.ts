import type { Context } from 'hono';
import { ERROR_CODES } from '#contract/errors.ts';
import { PROPOSED_SCOPES } from '#contract/api/oauth.ts';
import { MCP_PATH } from '#contract/pages/paths.ts';
import { V1_CODES, type Problem, type ProblemPart, type V1Code } from '#contract/v1/v1-problem.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { toKnownError, type ApiError } from '#worker/http/errors.ts';
import { PATCH_TYPES } from '#contract/pages/media-types.ts';
import { PROBLEMS } from '#worker/messages/public-api.ts';

/** Members that this API names differently from the application's API. */
const NAMES: ReadonlyMap<PropertyKey, string> = new Map([
  ['longUrl', 'url'],
  ['customCode', 'code'],
]);

/** Turns every error into application/problem+json (RFC 9457). */
export function respondProblem(error: Error, c: Context<ApiEnv>): Response {
  const known = toKnownError(error, c);
  const code = v1CodeOf(known);
  const { retryAfter, allow, upgradeRequired } = known.extra;
  if (allow !== undefined) c.header('Allow', allow.join(', '));
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  if (code === 'unauthenticated') c.header('WWW-Authenticate', challengeOf(c));
  if (code === 'unsupported_media_type' && c.req.method === 'PATCH')
    c.header('Accept-Patch', PATCH_TYPES.join(', '));
  const parts = invalidPartsOf(known);
  const problem: Problem = {
    // Without settings there is no origin yet. A relative reference is valid, too.
    type: `${c.get('origins')?.app ?? ''}/api/v1/errors#${code}`,
    title: PROBLEMS[code].title,
    status: ERROR_CODES[code],
    detail: known.message,
    code,
    requestId: c.get('requestId'),
    ...(parts.length === 0 ? {} : { errors: parts }),
    ...(upgradeRequired === undefined ? {} : { upgradeRequired }),
  };
  return c.body(JSON.stringify(problem), ERROR_CODES[code], {
    'Content-Type': 'application/problem+json',
  });
}

/**
 * Tells a client of the MCP server where to find out how to get a token (RFC 9728 §5.1), and which
 * rights to ask for first.
 */
function challengeOf(c: Context<ApiEnv>): string {
  if (c.req.path !== MCP_PATH) return 'Bearer';
  const members = [
    ...(c.req.header('Authorization') === undefined ? [] : ['error="invalid_token"']),
    `resource_metadata="${c.get('origins').app}/.well-known/oauth-protected-resource${MCP_PATH}"`,
    `scope="${PROPOSED_SCOPES.join(' ')}"`,
  ];
  return `Bearer ${members.join(', ')}`;
}

/** The code of an error. A code that no route of this API can cause becomes `internal`. */
export const v1CodeOf = ({ code }: ApiError): V1Code =>
  V1_CODES.find((known) => known === code) ?? 'internal';

/**
 * The parts of the request that are wrong. `prefix` is the path of the item that the error is
 * about.
 */
export function invalidPartsOf(
  { code, message, extra }: ApiError,
  prefix: readonly PropertyKey[] = [],
): ProblemPart[] {
  const issues =
    extra.issues ?? (extra.field === undefined ? [] : [{ path: extra.field.split('.'), message }]);
  return issues.map(({ path, message: detail }) => {
    const names = path.map((name) => NAMES.get(name) ?? name);
    if (code === 'invalid_query') return { detail, parameter: names.map(String).join('.') };
    if (code === 'invalid_header') return { detail, header: names.map(String).join('.') };
    return { detail, pointer: pointerTo([...prefix, ...names]) };
  });
}

/** A JSON pointer (RFC 6901 §3). */
const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
