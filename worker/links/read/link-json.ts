import { domainNameOf, shortUrlOf } from '#worker/http/short-url.ts';
import { SETTING_NAMES, type LinkSettings } from '#contract/links/link-settings.ts';
import type { V1Link } from '#contract/v1/v1.ts';
import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import type { LinkIds } from '#worker/db/link-ids.ts';
import { showSettings } from '#worker/links/settings/link-settings.ts';
import { describeDisabled } from './describe-disabled.ts';
import type { Origins } from '#worker/http/origins.ts';
import { visibleExternalId } from './external-ids.ts';
import { showCard } from './show-card.ts';
import { showHealth } from './show-health.ts';
import type { OwnLink } from './own-link.ts';

/** The state of a link without its clicks. `tags` are names. */
export type LinkFacts = LinkSettings &
  Pick<
    OwnLink,
    | 'id'
    | 'code'
    | 'earlierCodes'
    | 'target'
    | 'externalId'
    | 'status'
    | 'disabledBy'
    | 'disabledReason'
    | 'importedClicks'
    | 'createdAt'
    | 'updatedAt'
    | 'card'
    | 'health'
  > & { tags: readonly string[] };

/**
 * Who gets links. `codePrefix` is that of the API key that reads them; webhooks have none, because
 * they belong to the whole account.
 */
export type LinkReader = {
  origins: Origins;
  linkIds: Pick<LinkIds, 'show'>;
  codePrefix?: string;
};

/** Converts a link to its form in the public API. */
export function toLinkJson(
  link: LinkFacts,
  { origins, linkIds, codePrefix = '' }: LinkReader,
  now: number,
): Omit<V1Link, 'clicks' | 'clickLimitUsed'> {
  const timestamp = (ms: number): string => new Date(ms).toISOString();
  const status =
    link.status !== 'active'
      ? 'disabled'
      : link.expiresAt === null || isBefore(now, link.expiresAt)
        ? 'active'
        : 'expired';
  return {
    id: linkIds.show(link.id),
    code: link.code,
    earlierCodes: link.earlierCodes,
    domain: domainNameOf(origins, link.code),
    shortUrl: shortUrlOf(origins, link.code),
    url: link.target,
    externalId: visibleExternalId(link.externalId, codePrefix),
    status,
    state: isBefore(now, link.startsAt) && status === 'active' ? 'scheduled' : status,
    statusReason: describeDisabled(link),
    createdAt: timestamp(link.createdAt),
    updatedAt: timestamp(link.updatedAt),
    importedClicks: link.importedClicks,
    ...showSettings(link, SETTING_NAMES),
    card: showCard(link.card, origins),
    health: showHealth(link.health, link.target),
    tags: [...link.tags],
  };
}

const isBefore = (now: number, time: number | null): boolean => time !== null && now < time;

/** For comparing two states, whose ids and origins are the same. */
const NOBODY: LinkReader = {
  origins: { app: '', short: 'https://short.invalid', domains: NO_DOMAINS },
  linkIds: { show: String },
};

/**
 * Returns the fields of the public API that differ between two states, except `updatedAt`,
 * `health`, and `state`, which follows from others. `hasPassword` differs if the password does.
 */
export function changedFields(before: LinkFacts, after: LinkFacts, now: number): string[] {
  const [was, is] = [before, after].map((state) =>
    Object.entries({
      ...toLinkJson(state, NOBODY, now),
      hasPassword: state.password,
      updatedAt: null,
      health: null,
      state: null,
    }),
  );
  const old = new Map(was);
  return (is ?? []).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(old.get(name)) ? [] : [name],
  );
}

/** Converts a link of its owner, whose tags have ids and colors. */
export const toLinkFacts = ({ tags, ...link }: OwnLink): LinkFacts => ({
  ...link,
  tags: tags.map(({ name }) => name),
});
