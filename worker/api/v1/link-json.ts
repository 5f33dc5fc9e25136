import type { V1Link } from '#contract/v1.ts';
import { describeDisabled } from '#worker/links/describe-disabled.ts';
import type { OwnLink } from '#worker/links/own-link.ts';

/** A link, as every answer of this API has it. */
export function toV1Link(link: OwnLink, shortOrigin: string, now: number): V1Link {
  const timestamp = (ms: number): string => new Date(ms).toISOString();
  return {
    id: String(link.id),
    code: link.code,
    shortUrl: `${shortOrigin}/${link.code}`,
    url: link.target,
    externalId: link.externalId,
    status: link.status !== 'active' ? 'disabled' : link.expiresAt !== null && link.expiresAt <= now ? 'expired' : 'active',
    statusReason: describeDisabled(link),
    expiresAt: link.expiresAt === null ? null : timestamp(link.expiresAt),
    createdAt: timestamp(link.createdAt),
    updatedAt: timestamp(link.updatedAt),
    clicks: link.clicks,
    title: link.title,
    note: link.note,
    tags: link.tags.map(({ name }) => name),
    favorite: link.favorite,
    archived: link.archived,
  };
}
