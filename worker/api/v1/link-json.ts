import type { Context } from 'hono';
import { KEY_MESSAGES } from '#worker/messages/public-api.ts';
import { namesWith } from '#contract/links/link-settings.ts';
import type { ApiEnv, KeyIdentity } from '#worker/http/context.ts';
import { ApiError, type InputIssue } from '#worker/http/errors.ts';
import { requireKey } from '#worker/http/validate.ts';
import type { V1Link, V1WrittenLink } from '#contract/v1/v1.ts';
import { nameDomainsOf } from '#worker/links/domain-of-request.ts';
import { toLinkFacts, toLinkJson } from '#worker/links/read/link-json.ts';
import { toStoredExternalId } from '#worker/links/read/external-ids.ts';
import { readOwnLink, type LinkRef, type OwnLink } from '#worker/links/read/own-link.ts';
import { NOT_FOUND } from '#worker/links/write/change-link.ts';
import { linkError } from '#worker/links/write/link-errors.ts';

type C = Context<ApiEnv>;

/**
 * The rights of a key on links, besides calling the route. They keep the keys of one account apart
 * (docs/product.md#public-api).
 */

/**
 * True if the key may change links. Only such a key may reuse the code of a deleted link of its
 * owner.
 */
export const mayWrite = ({ scopes }: KeyIdentity): boolean => scopes.includes('links:write');

/** Members of a link that only keys with `links:write` may set. */
const NEEDS_WRITE = ['externalId', ...namesWith({ needsWrite: true }), 'tags'] as const;
/** Members that only keys without a code prefix may set. */
const NEEDS_ACCOUNT = ['tags', 'domain'] as const;
type Limited = (typeof NEEDS_WRITE)[number] | (typeof NEEDS_ACCOUNT)[number];

const hasValue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

/**
 * Returns a 403 that names each setting that the key may not set; null if there is none. `tags` and
 * `domain` belong to the account, so keys with a code prefix may not set them. Values that set
 * nothing are allowed.
 */
export function settingsError(
  key: KeyIdentity,
  link: Partial<Record<Limited, unknown>>,
): ApiError | null {
  const needsScope = mayWrite(key) ? [] : NEEDS_WRITE.filter((name) => hasValue(link[name]));
  const needsAccount =
    key.codePrefix === ''
      ? []
      : NEEDS_ACCOUNT.filter(
          (name) => hasValue(link[name]) && !needsScope.some((is) => is === name),
        );
  const issues: InputIssue[] = [
    ...needsScope.map((name) => ({
      path: [name],
      message: KEY_MESSAGES.scope_needed(name, 'links:write'),
    })),
    ...needsAccount.map((name) => ({
      path: [name],
      message: KEY_MESSAGES[`${name}_with_prefix`],
    })),
  ];
  const code = needsScope.length > 0 ? 'insufficient_scope' : 'forbidden';
  const [first] = issues;
  return first === undefined ? null : new ApiError(code, first.message, { issues });
}

/** Throws 403 if the key may not set one of the settings of a link. */
export function checkSettings(c: C, link: Parameters<typeof settingsError>[1]): void {
  const error = settingsError(requireKey(c), link);
  if (error === null) return;
  if (error.code === 'insufficient_scope')
    c.header('WWW-Authenticate', 'Bearer error="insufficient_scope", scope="links:write"');
  throw error;
}

/** Returns the link, by default the one in the path, if the key may see it. Throws 404. */
export async function requireLink(c: C, ref: LinkRef = refInPath(c)): Promise<OwnLink> {
  const { userId, codePrefix } = requireKey(c);
  const link = await readOwnLink(c.get('db'), userId, ref);
  if (link === null || !link.code.startsWith(codePrefix)) throw notFound(c);
  await nameDomainsOf(c, [link]);
  return link;
}

const refInPath = (c: C): LinkRef => ({ id: requireKey(c).linkIds.read(c.req.param('id') ?? '') });

export const notFound = (c: C): ApiError => linkError(NOT_FOUND, c.get('now'));

/**
 * Returns the link that has this external id for this key: a link whose id a key with the same
 * prefix set, or a visible link whose id a key without a prefix set.
 */
export async function findByExternalId(c: C, externalId: string): Promise<OwnLink | null> {
  const { userId, codePrefix } = requireKey(c);
  const own = await readOwnLink(c.get('db'), userId, {
    externalId: toStoredExternalId(externalId, codePrefix),
  });
  if (own !== null || codePrefix === '') return own;
  const shared = await readOwnLink(c.get('db'), userId, { externalId });
  return shared?.code.startsWith(codePrefix) === true ? shared : null;
}

/** A link in an answer to a key that may read links. */
export const toV1Link = (c: C, link: OwnLink): V1Link => ({
  ...toLinkJson(toLinkFacts(link), { ...requireKey(c), origins: c.get('origins') }, c.get('now')),
  clicks: link.clicks,
  clickLimitUsed: link.limitUsed,
});

/**
 * A link in the answer to a request that writes. A key that may not read links gets only the
 * members that identify it.
 */
export function toWrittenLink(c: C, link: OwnLink): V1WrittenLink {
  const whole = toV1Link(c, link);
  return requireKey(c).scopes.includes('links:read')
    ? whole
    : { id: whole.id, code: whole.code, shortUrl: whole.shortUrl };
}
