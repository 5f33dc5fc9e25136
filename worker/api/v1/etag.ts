import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { ApiEnv } from '#worker/http/context.ts';
import type { OwnLink } from '#worker/links/read/own-link.ts';
import { CHANGED_SINCE, type IsExpected } from '#worker/links/write/change-link.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import { toV1Link } from './link-json.ts';

type C = Context<ApiEnv>;

const hash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);

/**
 * The ETag of a link (RFC 9110 §8.8.3). The part before the dot identifies what its owner and Hop
 * have set, the part after it the clicks, which `If-Match` ignores: a click in between must not
 * reject a change.
 */
export function etagOf(c: C, link: OwnLink): string {
  const { clicks, ...settings } = toV1Link(c, link);
  const part = hash(JSON.stringify(settings));
  return `"${part}.${hash(`${part} ${clicks}`)}"`;
}

const settingsOf = (tag: string): string => tag.split('.')[0] ?? '';

const tagsIn = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/**
 * Returns the condition of `If-Match` (RFC 9110 §13.1.1); undefined without the header. A weak tag
 * never matches.
 */
export function readIfMatch(c: C): IsExpected {
  const header = c.req.header('If-Match')?.trim();
  if (header === undefined) return undefined;
  const seen = new Set(tagsIn(header).map(settingsOf));
  return (link) => header === '*' || seen.has(settingsOf(etagOf(c, link)));
}

/** Throws 412 if `If-Match` or `If-None-Match` rules out an upsert of this link, null for none. */
export function checkUpsert(c: C, existing: OwnLink | null): void {
  const isExpected = readIfMatch(c);
  const noneMatch = c.req.header('If-None-Match');
  const isRuledOut =
    existing === null
      ? isExpected !== undefined
      : isExpected?.(existing) === false || (noneMatch !== undefined && hasTag(c, existing));
  if (isRuledOut) throw linkError(CHANGED_SINCE, c.get('now'));
}

/** True if `If-None-Match` has the tag of this link (RFC 9110 §13.1.2), weak or not. */
function hasTag(c: C, link: OwnLink): boolean {
  const header = c.req.header('If-None-Match')?.trim() ?? '';
  const known = tagsIn(header).map((tag) => tag.replace(/^W\//, ''));
  return header === '*' || known.includes(etagOf(c, link));
}

/** Answers with a link: 304 if the caller has it already. */
export function sendLink(c: C, link: OwnLink): Response {
  c.header('ETag', etagOf(c, link));
  return hasTag(c, link) ? c.body(null, 304) : c.json(toV1Link(c, link));
}
