import { planIncludes } from '#contract/plan-features.ts';
import type { Subscription } from '#contract/plans.ts';
import { findBlockedAmong } from '#worker/abuse/find-blocked.ts';
import { HARMFUL } from '#worker/abuse/check-harm.ts';
import type { Db } from '#worker/db/client.ts';
import { readSubscription } from '#worker/plans/subscription.ts';
import { quotaError, type QuotaError } from '#worker/plans/used-up-quota.ts';
import { newCode } from './codes.ts';
import { readAllowance } from './link-allowance.ts';
import { usageFrom, type ShortenOptions, type Usage } from './shorten.ts';
import { insertLinks, type NewLink } from './store.ts';
import { checkTarget, type Target, type TargetPolicy } from './target.ts';

/** One line of a list, with `longUrl` as it was typed, after the link policy has been applied. */
export type DraftLine = { longUrl: string; target: Target } | { longUrl: string; target: null; message: string };

export type LineResult = { ok: true; longUrl: string; code: string } | { ok: false; longUrl: string; message: string };
export type ShortenManyErrorReason = 'premium_only' | 'no_free_code' | QuotaError['reason'];
export type ShortenManyResult =
  | { ok: true; lines: LineResult[]; ids: number[]; usage: Usage }
  | { ok: false; reason: ShortenManyErrorReason; message: string };

const CODE_ATTEMPTS = 5;

/** Validates the lines of a list without touching storage. */
export function parseDraftLines(longUrls: readonly string[], policy: TargetPolicy): DraftLine[] {
  return longUrls.map((longUrl) => {
    const check = checkTarget(longUrl, policy);
    return check.ok ? { longUrl, target: check.target } : { longUrl, target: null, message: check.message };
  });
}

/**
 * Bulk processing, a Premium feature: creates a short link for every valid line. The links are inserted in one atomic batch
 * with the quota, all or none, so that a list is never half done.
 */
export async function shortenMany(
  db: Db,
  drafts: readonly DraftLine[],
  { creator, reputation, now, random }: ShortenOptions & { creator: { userId: string } },
): Promise<ShortenManyResult> {
  const { userId } = creator;
  const { plan_type } = await readSubscription(db, userId, now);
  if (!planIncludes(plan_type, 'bulk')) return PREMIUM_ONLY;

  const targets = drafts.flatMap(({ target }) => (target === null ? [] : [new URL(target.href)]));
  const [blocked, take] = await Promise.all([findBlockedAmong(db, targets), readAllowance(db, creator, now)]);

  for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt += 1) {
    const newLinks: NewLink[] = [];
    const lines = drafts.map((line) => {
      if (line.target === null || blocked.has(line.target.href)) return toResult(line, null);
      const code = newCode(random);
      newLinks.push({
        code,
        isAlias: false,
        target: line.target.href,
        targetHost: line.target.host,
        userId,
        expiresAt: null,
        // Asking the reputation service about up to 100 hosts would take too long: a job asks within the next minutes.
        recheckAt: reputation === null ? null : now,
        claimHash: null,
      });
      return toResult(line, code);
    });
    if (newLinks.length === 0) return { ok: true, lines, ids: [], usage: null };
    const result = await insertLinks(db, newLinks, take, now);
    if (result.ok) return { ok: true, lines, ids: [...result.ids.values()], usage: usageFrom(result) };
    if (result.reason === 'allowance_used_up') return quotaReached(newLinks.length, await readSubscription(db, userId, now));
  }
  return { ok: false, reason: 'no_free_code', message: "We couldn't find enough free codes. Try again." };
}

/** `code` is null for a line that gets no link: the link policy or the blocklist forbids its target. */
function toResult(line: DraftLine, code: string | null): LineResult {
  const { longUrl } = line;
  if (line.target === null) return { ok: false, longUrl, message: line.message };
  return code === null ? { ok: false, longUrl, message: HARMFUL } : { ok: true, longUrl, code };
}

const PREMIUM_ONLY = { ok: false, reason: 'premium_only', message: 'Bulk processing is part of the Premium plan.' } as const;

function quotaReached(needed: number, subscription: Subscription): ShortenManyResult {
  const left = Math.max(0, subscription.monthly_limit - subscription.current_usage);
  return quotaError(`This list needs ${needed} links, and you have ${left} left this month`, subscription);
}
