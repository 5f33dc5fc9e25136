import { DAY_MS } from '#contract/time.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { findByEmail } from '#worker/auth/service/store.ts';
import { consume, refund, type Limit } from './counters.ts';
import { addressMailLimit } from './mail-limits.ts';
import { counterKey } from './network-limits.ts';

/**
 * What a notice is about: the account, its plan, or its API keys and webhooks. They are counted
 * apart, so that somebody at an open browser cannot use the notices up with changes of the plan and
 * keep the owner from changing the password.
 */
export type NoticeKind = keyof typeof KINDS;

/** `purpose` is part of the counters' keys; `perDay` is for each address. */
const KINDS = {
  /**
   * Every notice of a new password voids the link of the one before, so the day's notices must
   * remain findable in a mailbox.
   */
  account: { purpose: 'notice', perDay: 5 },
  plan: { purpose: 'plan-notice', perDay: 5 },
  /** More than the API keys of an account, and their owner sees each. */
  key: { purpose: 'key-notice', perDay: 30 },
} as const;

/** `refund`: for a change that was not made, so that nobody is told. */
export type CountedNotice =
  | { ok: true; refund: () => Promise<void> }
  | { ok: false; retryAfterMs: number };

/**
 * Counts a change of the account that its owner is told about by email. When the limit is reached,
 * the change has to wait, because the owner would not be told. No limit of a network counts: a
 * thief of the session could use it up with emails to others. With autoconfirm anybody can have an
 * account under any address. Until the mailbox is proven, a notice therefore also counts as one of
 * the emails that a stranger's mailbox gets.
 */
export async function consumeNotice(
  context: AuthContext,
  email: string,
  kind: NoticeKind,
): Promise<CountedNotice> {
  const { db, now } = context;
  const isUnproven = (await findByEmail(db, email))?.proven_at === null;
  const limits = [
    noticeLimit(context, email, kind),
    ...(isUnproven ? [addressMailLimit(context, email)] : []),
  ];
  const { exceeded } = await consume(db, limits, now);
  if (exceeded !== null) return { ok: false, retryAfterMs: exceeded.retryAfterMs };
  return { ok: true, refund: () => refund(db, limits) };
}

/** The limits of an address, for every kind of notice. */
export const noticeLimits = (context: AuthContext, email: string): Limit[] =>
  (['account', 'plan', 'key'] as const).map((kind) => noticeLimit(context, email, kind));

const noticeLimit = (context: AuthContext, email: string, kind: NoticeKind): Limit => ({
  key: counterKey(context, KINDS[kind].purpose, email),
  max: KINDS[kind].perDay,
  windowMs: DAY_MS,
});
