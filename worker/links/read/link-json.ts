import { shortUrlOf } from '#contract/link-key.ts';
import type { V1Link } from '#contract/v1.ts';
import { describeDisabled } from './describe-disabled.ts';
import { visibleExternalId } from './external-ids.ts';
import type { OwnLink } from './own-link.ts';

/** What events leave out: what the owner notes about a link, and the parameters it forwards. */
type Notes = 'title' | 'note' | 'tags' | 'favorite' | 'archived' | 'forwardParams';
type Clicks = 'clicks' | 'importedClicks';

/** What the public API says about a link, besides its clicks and notes. */
export type LinkState = Omit<OwnLink, 'targetHost' | 'version' | Clicks | Notes>;

/**
 * A link in the form of the public API and of webhooks, without clicks and notes. `codePrefix` is
 * that of the key which reads it; webhooks belong to the whole account and have none.
 */
export function toLinkJson(
  link: LinkState,
  shortOrigin: string,
  now: number,
  codePrefix = '',
): Omit<V1Link, Clicks | Notes> {
  const timestamp = (ms: number): string => new Date(ms).toISOString();
  return {
    id: String(link.id),
    code: link.code,
    earlierCodes: link.earlierCodes,
    shortUrl: shortUrlOf(shortOrigin, link.code),
    url: link.target,
    externalId: visibleExternalId(link.externalId, codePrefix),
    status:
      link.status !== 'active'
        ? 'disabled'
        : link.expiresAt !== null && link.expiresAt <= now
          ? 'expired'
          : 'active',
    statusReason: describeDisabled(link),
    expiresAt: link.expiresAt === null ? null : timestamp(link.expiresAt),
    createdAt: timestamp(link.createdAt),
    updatedAt: timestamp(link.updatedAt),
  };
}
