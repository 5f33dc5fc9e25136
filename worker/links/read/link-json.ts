import { shortUrlOf } from '#contract/link-key.ts';
import { namesWith, type EventName } from '#contract/link-settings.ts';
import type { V1EventLink } from '#contract/v1.ts';
import type { LinkIds } from '#worker/db/link-ids.ts';
import { showSettings } from '#worker/links/settings/link-settings.ts';
import { describeDisabled } from './describe-disabled.ts';
import { visibleExternalId } from './external-ids.ts';
import type { OwnLink } from './own-link.ts';

export type EventLink = Pick<
  OwnLink,
  | 'id'
  | 'code'
  | 'earlierCodes'
  | 'target'
  | 'externalId'
  | 'status'
  | 'disabledBy'
  | 'disabledReason'
  | 'createdAt'
  | 'updatedAt'
  | EventName
>;

/**
 * Who gets links. `codePrefix` is that of the API key that reads them; webhooks have none, because
 * they belong to the whole account.
 */
export type LinkReader = { shortOrigin: string; linkIds: LinkIds; codePrefix?: string };

const IN_EVENTS = namesWith({ isInEvents: true });

/** Converts a link to its form in the public API. */
export function toLinkJson(
  link: EventLink,
  { shortOrigin, linkIds, codePrefix = '' }: LinkReader,
  now: number,
): V1EventLink {
  const timestamp = (ms: number): string => new Date(ms).toISOString();
  return {
    id: linkIds.show(link.id),
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
    ...showSettings(link, IN_EVENTS),
    createdAt: timestamp(link.createdAt),
    updatedAt: timestamp(link.updatedAt),
  };
}
