import { checkHarm } from '#worker/abuse/check-harm.ts';
import type { Db } from '#worker/db/client.ts';
import { takeFromDay, type Networks } from '#worker/http/day-allowance.ts';
import { takeFromQuota } from '#worker/plans/quota.ts';
import { checkAlias, newCode, type RandomBytes } from './codes.ts';
import { checkDestination, type Destination, type LinkPolicy } from './destination.ts';
import { insertLinks, type InsertOutcome } from './store.ts';
import { VISITOR_LINKS } from './visitor-allowance.ts';

/** Who makes the link: a member pays from a quota, a visitor from the day's allowance of their network. */
export type Maker = { userId: string } | (Networks & { secret: string });

export type ShortenInput = { longUrl: string; alias: string | null; expiresAt: number | null };

export type Shortened = {
  ok: true;
  id: number;
  code: string;
  target: string;
  /** Only for members. */
  usage: { current_usage: number; monthly_limit: number } | null;
};
export type NotShortened = {
  ok: false;
  reason:
    | 'invalid_target'
    | 'cannot_tell'
    | 'invalid_alias'
    | 'reserved_alias'
    | 'alias_needs_member'
    | 'invalid_expiry'
    | 'alias_taken'
    | 'quota_reached'
    | 'day_reached'
    | 'no_free_code';
  message: string;
};

/** How often a generated code may be taken already before we give up: at 3.5 trillion codes once is rare. */
const CODE_ATTEMPTS = 5;

/**
 * Makes a short link: policy, alias rules, blocklist, then one atomic batch of allowance, link and outbox row.
 * A refusal of any kind uses nothing up (decision 6). Throws only when the database cannot be reached.
 */
export async function shorten(
  db: Db,
  input: ShortenInput,
  maker: Maker,
  policy: LinkPolicy,
  now: number,
  random: RandomBytes,
): Promise<Shortened | NotShortened> {
  const destination = checkInput(input, maker, policy, now);
  if (!destination.ok) return destination;
  const userId = 'userId' in maker ? maker.userId : null;
  const [harm, allowance] = await Promise.all([
    checkHarm(db, new URL(destination.href), policy.reputation ?? null, userId !== null, now),
    'userId' in maker ? takeFromQuota(db, maker.userId, 1, now) : takeFromDay(db, VISITOR_LINKS, maker, maker.secret, now),
  ]);
  if (!harm.ok) return { ok: false, reason: harm.reason === 'harmful' ? 'invalid_target' : 'cannot_tell', message: harm.message };

  const attempts = input.alias === null ? CODE_ATTEMPTS : 1;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const code = input.alias ?? newCode(random);
    const link = {
      code,
      isAlias: input.alias !== null,
      target: destination.href,
      targetHost: destination.host,
      userId,
      expiresAt: input.expiresAt,
      recheckAt: harm.recheckAt,
    };
    const outcome = await insertLinks(db, allowance, [link], now);
    if (outcome.ok) return { ok: true, id: outcome.ids.get(code) ?? 0, code, target: destination.href, usage: usageOf(outcome) };
    if (outcome.reason === 'refused') return userId === null ? DAY_REACHED : QUOTA_REACHED;
  }
  return input.alias === null
    ? { ok: false, reason: 'no_free_code', message: 'No free code was found just now. Please try again.' }
    : { ok: false, reason: 'alias_taken', message: 'This alias is taken. Please choose another one.' };
}

// No full stop: the page goes on with '. Upgrade to Premium for …' (spec §8).
const QUOTA_REACHED = {
  ok: false,
  reason: 'quota_reached',
  message: 'You have used all links of your plan for this month',
} as const;
const DAY_REACHED = {
  ok: false,
  reason: 'day_reached',
  message: "Today's links without an account are used up. Sign in, or come back tomorrow.",
} as const;

/** All that can be said about a wish without asking any storage: alias, end date, link policy. */
export function checkInput(input: ShortenInput, maker: Maker, policy: LinkPolicy, now: number): Destination | NotShortened {
  const { alias, expiresAt } = input;
  if (!('userId' in maker) && (alias !== null || expiresAt !== null))
    return { ok: false, reason: 'alias_needs_member', message: 'Sign in to choose an alias or an end date.' };
  if (alias !== null) {
    const check = checkAlias(alias);
    if (!check.ok) return check;
  }
  if (expiresAt !== null && expiresAt <= now)
    return { ok: false, reason: 'invalid_expiry', message: 'The end date has passed already.' };
  const destination = checkDestination(input.longUrl, policy);
  return destination.ok ? destination : { ok: false, reason: 'invalid_target', message: destination.message };
}

/** What the quota's own statement says is used now; null for visitors. */
export function usageOf({ allowance }: Extract<InsertOutcome, { ok: true }>): Shortened['usage'] {
  const { current_usage, monthly_limit } = allowance ?? {};
  return typeof current_usage === 'number' && typeof monthly_limit === 'number' ? { current_usage, monthly_limit } : null;
}
