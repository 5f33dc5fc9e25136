import type { Context } from 'hono';
import { namesWith, SETTING_NAMES } from '#contract/link-settings.ts';
import type { ApiEnv, KeyIdentity } from '#worker/http/context.ts';
import { ApiError, type InputIssue } from '#worker/http/errors.ts';
import type { V1Link, V1WrittenLink } from '#contract/v1.ts';
import { showSettings } from '#worker/links/settings/link-settings.ts';
import { toLinkJson } from '#worker/links/read/link-json.ts';
import type { OwnLink } from '#worker/links/read/own-link.ts';

/**
 * The rights of a key on links, besides calling the route. They keep the keys of one account apart
 * (docs/product.md#public-api).
 */

/**
 * True if the key may read links. Answers to other keys contain only the id, the code and the short
 * URL.
 */
const mayRead = ({ scopes }: KeyIdentity): boolean => scopes.includes('links:read');

/**
 * True if the key may change links. Only such a key may reuse the code of a deleted link of its
 * owner.
 */
export const mayWrite = ({ scopes }: KeyIdentity): boolean => scopes.includes('links:write');

/** Members of a link that only keys with `links:write` may set. */
const NEEDS_WRITE = ['externalId', ...namesWith({ needsWrite: true }), 'tags'] as const;

const hasValue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

/**
 * Throws 403 and names each setting that the key may not set. `tags` belong to the account, so keys
 * with a code prefix may not set them. `path` leads to a link in the body. Values that set nothing
 * are allowed.
 */
export function checkSettings(
  c: Context<ApiEnv>,
  key: KeyIdentity,
  links: readonly Partial<Record<(typeof NEEDS_WRITE)[number], unknown>>[],
  path: (index: number) => readonly PropertyKey[] = () => [],
): void {
  const isAllowed = (name: (typeof NEEDS_WRITE)[number]): boolean =>
    mayWrite(key) && (name !== 'tags' || key.codePrefix === '');
  const issues = links.flatMap((link, index) =>
    NEEDS_WRITE.filter((name) => !isAllowed(name) && hasValue(link[name])).map(
      (name): InputIssue => ({
        path: [...path(index), name],
        message: mayWrite(key)
          ? 'A key with a code prefix cannot set tags, because they belong to the whole account.'
          : `${name} needs a key with the scope links:write.`,
      }),
    ),
  );
  const [first] = issues;
  if (first === undefined) return;
  if (mayWrite(key)) throw new ApiError('forbidden', first.message, { issues });
  c.header('WWW-Authenticate', 'Bearer error="insufficient_scope", scope="links:write"');
  throw new ApiError('insufficient_scope', first.message, { issues });
}

/** A link in an answer to a key that may read links. */
export const toV1Link = (
  link: OwnLink,
  { codePrefix }: KeyIdentity,
  shortOrigin: string,
  now: number,
): V1Link => ({
  ...toLinkJson(link, shortOrigin, now, codePrefix),
  clicks: link.clicks,
  importedClicks: link.importedClicks,
  ...showSettings(link, SETTING_NAMES),
  tags: link.tags.map(({ name }) => name),
});

/**
 * A link in the answer to a request that writes. A key that may not read links gets only the
 * members that identify it.
 */
export function toWrittenLink(
  link: OwnLink,
  key: KeyIdentity,
  shortOrigin: string,
  now: number,
): V1WrittenLink {
  const whole = toV1Link(link, key, shortOrigin, now);
  return mayRead(key) ? whole : { id: whole.id, code: whole.code, shortUrl: whole.shortUrl };
}
