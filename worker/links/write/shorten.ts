import { linkKey, splitKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import type { UsedQuota } from '#contract/site.ts';
import type { LinkRefusal } from '#worker/messages/links.ts';
import { checkHarm } from '#worker/safety/check-harm.ts';
import type { Reputation } from '#worker/safety/reputation.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import type { Db } from '#worker/db/client.ts';
import type { InsertGuard } from '#worker/http/idempotency.ts';
import { ensureTags, type TagErrorReason } from '#worker/tags/tags.ts';
import { readSubscription } from '#worker/plans/subscription.ts';
import { quotaError, type QuotaError } from '#worker/plans/used-up-quota.ts';
import { ALIAS_TAKEN, ALIAS_HELD, newCode, type RandomSource } from '#worker/edge/codes.ts';
import { findRefusal, type DomainErrorReason } from '#worker/domains/usable-domain.ts';
import { findFormerLinks, type FormerLink } from '#worker/edge/former-link.ts';
import { readAllowance, type Creator, type TakeAllowance } from './link-allowance.ts';
import { chosenKey, type LinkDraft } from './link-draft.ts';
import {
  destinationsOf,
  refuseDestination,
  type DestinationError,
} from '#worker/links/settings/destinations.ts';
import { isExternalIdTaken } from '#worker/links/read/own-link.ts';
import { toNewLink, type NewLink } from './new-link.ts';
import { insertLinks, type InsertResult } from './insert-links.ts';

export type ShortenOptions = {
  creator: Creator;
  /** An outside reputation check; null if the deployment has none. */
  reputation: Reputation | null;
  now: number;
  random: RandomSource;
  guard?: InsertGuard | null;
};

/** Null for visitors, who have no quota. */
export type Usage = UsedQuota | null;

export type ShortenErrorReason =
  | TagErrorReason
  | DestinationError['reason']
  | 'reputation_unknown'
  | 'alias_taken'
  | 'external_id_taken'
  | 'alias_held'
  | QuotaError['reason']
  | 'daily_limit_reached'
  | DomainErrorReason
  | 'no_free_code';
export type ShortenResult =
  | {
      ok: true;
      id: number;
      code: LinkKey;
      target: string;
      usage: Usage;
      /** The secret with which a member can claim a visitor's link; null for a member's link. */
      claimToken: string | null;
    }
  | LinkRefusal<ShortenErrorReason>;

/** How many generated codes are tried. There are 3.5 trillion, so one is rarely taken. */
const CODE_ATTEMPTS = 5;

/**
 * Creates a short link: checks the target for harm, then charges an allowance and inserts the link
 * in one atomic batch, so that a failed attempt costs nothing (docs/decisions.md#d6). Members may
 * take the code of their own deleted link again, unless that link is on hold
 * (docs/decisions.md#d39). Throws only if D1 cannot be reached.
 */
export async function shorten(
  db: Db,
  draft: LinkDraft,
  options: ShortenOptions,
): Promise<ShortenResult> {
  const { creator, reputation, now } = options;
  const userId = 'userId' in creator ? creator.userId : null;
  const [harm, take, tagged] = await Promise.all([
    checkHarm(db, [draft.target, ...destinationsOf(draft)], reputation, userId !== null, now),
    readAllowance(db, creator, now),
    ensureTags(db, userId ?? '', draft.tags, now),
  ]);
  if (!tagged.ok) return tagged;
  if (!harm.ok)
    return harm.reason === 'not_checked'
      ? { ok: false, reason: 'reputation_unknown' }
      : refuseDestination(harm.href, draft, harm.reason);

  const claimToken = userId === null ? randomToken() : null;
  const insert: Insert = (code, former = null) => {
    const link = toNewLink(draft, {
      userId,
      code,
      recheckAt: harm.recheckAt,
      claimHash: claimToken === null ? null : hashToken(claimToken),
      tagIds: tagged.tags.map(({ id }) => id),
      item: 0,
      former,
    });
    return insertLink(db, link, { ...options, take, claimToken });
  };
  const alias = chosenKey(draft);
  return alias === null
    ? insertWithNewCode(db, draft, { userId, insert, random: options.random })
    : insertWithAlias(db, draft, alias, { userId, insert });
}

/** Inserts the link with this key. Returns null if the key or the external id is taken. */
type Insert = (code: LinkKey, former?: FormerLink | null) => Promise<ShortenResult | null>;

async function insertLink(
  db: Db,
  link: NewLink,
  options: ShortenOptions & { take: TakeAllowance; claimToken: string | null },
): Promise<ShortenResult | null> {
  const { code, target, userId } = link;
  const { now, claimToken } = options;
  const result = await insertLinks(db, [link], options);
  if (result.ok) {
    const id = result.ids.get(code) ?? 0;
    return { ok: true, id, code, target, usage: usageFrom(result), claimToken };
  }
  if (result.reason === 'code_taken')
    return userId === null ? null : findRefusal(db, userId, splitKey(code).domain);
  if (userId === null) return DAILY_LIMIT_REACHED;
  return quotaError(await readSubscription(db, userId, now));
}

async function insertWithAlias(
  db: Db,
  { externalId, mayTakeFormer }: LinkDraft,
  alias: LinkKey,
  { userId, insert }: { userId: string | null; insert: Insert },
): Promise<ShortenResult> {
  const created = await insert(alias);
  if (created !== null) return created;
  if (await isExternalIdTaken(db, userId, externalId)) return EXTERNAL_ID_TAKEN;
  const former =
    userId === null || !mayTakeFormer
      ? undefined
      : (await findFormerLinks(db, userId, [alias])).get(alias);
  if (former === undefined) return ALIAS_TAKEN;
  return former.isHeld ? ALIAS_HELD : ((await insert(alias, former.link)) ?? ALIAS_TAKEN);
}

async function insertWithNewCode(
  db: Db,
  { externalId, codePrefix, domain }: LinkDraft,
  { userId, insert, random }: { userId: string | null; insert: Insert; random: RandomSource },
): Promise<ShortenResult> {
  for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt += 1) {
    const created = await insert(linkKey(domain, newCode(random, codePrefix)));
    if (created !== null) return created;
    if (await isExternalIdTaken(db, userId, externalId)) return EXTERNAL_ID_TAKEN;
  }
  return { ok: false, reason: 'no_free_code' };
}

export const EXTERNAL_ID_TAKEN = { ok: false, reason: 'external_id_taken' } as const;
const DAILY_LIMIT_REACHED = { ok: false, reason: 'daily_limit_reached' } as const;

/** Returns the usage that the quota's statement has read; null for visitors. */
export function usageFrom({ allowance }: Extract<InsertResult, { ok: true }>): Usage {
  const { current_usage, monthly_limit } = allowance ?? {};
  return typeof current_usage === 'number' && typeof monthly_limit === 'number'
    ? { current_usage, monthly_limit }
    : null;
}
