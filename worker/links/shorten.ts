import { checkHarm } from '#worker/abuse/check-harm.ts';
import type { Reputation } from '#worker/abuse/reputation.ts';
import { hashToken, randomToken } from '#worker/auth/tokens/one-time-secret.ts';
import type { Db } from '#worker/db/client.ts';
import { newCode, type RandomSource } from './codes.ts';
import { readAllowance, type Creator } from './link-allowance.ts';
import type { LinkDraft } from './link-draft.ts';
import { insertLinks, type InsertResult } from './store.ts';

export type ShortenOptions = {
  creator: Creator;
  /** An outside reputation check; null if the deployment has none. */
  reputation: Reputation | null;
  now: number;
  random: RandomSource;
};

/** `current_usage` and `monthly_limit` of a member's quota; null for visitors. */
export type Usage = { current_usage: number; monthly_limit: number } | null;

export type ShortenErrorReason =
  | 'invalid_target'
  | 'reputation_unknown'
  | 'alias_taken'
  | 'quota_reached'
  | 'daily_limit_reached'
  | 'no_free_code';
export type ShortenResult =
  | {
      ok: true;
      id: number;
      code: string;
      target: string;
      usage: Usage;
      /** The secret that puts a visitor's link into an account later; null for a member's link. */
      claimToken: string | null;
    }
  | { ok: false; reason: ShortenErrorReason; message: string };

/** How many generated codes are tried before giving up. With 3.5 trillion possible codes, one that is taken is rare. */
const CODE_ATTEMPTS = 5;

/**
 * Creates a short link: checks the target for harm, then takes the link off an allowance and inserts it in one atomic batch.
 * An attempt that fails costs nothing (docs/decisions.md#d6). Throws only if the database cannot be reached.
 */
export async function shorten(db: Db, draft: LinkDraft, options: ShortenOptions): Promise<ShortenResult> {
  const { creator, reputation, now, random } = options;
  const { target, alias, expiresAt } = draft;
  const userId = 'userId' in creator ? creator.userId : null;
  const [harm, take] = await Promise.all([
    checkHarm(db, new URL(target.href), reputation, userId !== null, now),
    readAllowance(db, creator, now),
  ]);
  if (!harm.ok)
    return { ok: false, reason: harm.reason === 'harmful' ? 'invalid_target' : 'reputation_unknown', message: harm.message };

  const claimToken = userId === null ? randomToken() : null;
  const attempts = alias === null ? CODE_ATTEMPTS : 1;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const code = alias ?? newCode(random);
    const link = {
      code,
      isAlias: alias !== null,
      target: target.href,
      targetHost: target.host,
      userId,
      expiresAt,
      recheckAt: harm.recheckAt,
      claimHash: claimToken === null ? null : hashToken(claimToken),
    };
    const result = await insertLinks(db, [link], take, now);
    if (result.ok)
      return { ok: true, id: result.ids.get(code) ?? 0, code, target: target.href, usage: usageFrom(result), claimToken };
    if (result.reason === 'allowance_used_up') return userId === null ? DAILY_LIMIT_REACHED : QUOTA_REACHED;
  }
  return alias === null
    ? { ok: false, reason: 'no_free_code', message: "We couldn't find a free code. Try again." }
    : { ok: false, reason: 'alias_taken', message: 'This alias is already taken. Choose another one.' };
}

// Without a full stop, because the page continues with '. Upgrade to Premium for …'.
const QUOTA_REACHED = {
  ok: false,
  reason: 'quota_reached',
  message: "You have used all of this month's links",
} as const;
const DAILY_LIMIT_REACHED = {
  ok: false,
  reason: 'daily_limit_reached',
  message: "You have reached today's limit for links without an account. Sign in, or try again tomorrow.",
} as const;

/** The usage that the quota's own statement returned; null for visitors. */
export function usageFrom({ allowance }: Extract<InsertResult, { ok: true }>): Usage {
  const { current_usage, monthly_limit } = allowance ?? {};
  return typeof current_usage === 'number' && typeof monthly_limit === 'number' ? { current_usage, monthly_limit } : null;
}
