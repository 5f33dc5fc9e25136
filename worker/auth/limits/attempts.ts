import type { AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Refusal, type Result } from '#worker/auth/service/problems.ts';
import { findByEmail } from '#worker/auth/service/store.ts';
import { logEvent } from '#worker/log.ts';
import type { MailKind } from '#worker/mail/texts.ts';
import { consume, refund, reset } from './counters.ts';
import { ADDRESS_LIMITS, allLimitsOf, limitsOf, type Purpose } from './limits.ts';

export type Counted = Result<null>;

/**
 * Counts one attempt under every purpose, or under none. Call it before the work that the limits
 * protect. Unknown addresses count like known ones. The reason is that of the longest lock.
 */
export async function countAttempt(
  context: AuthContext,
  purposes: readonly Purpose[],
  email: string,
): Promise<Counted> {
  const limits = limitsOf(context, purposes, email);
  const { exceeded, reached } = await consume(context.db, limits, context.now);
  const all = reached.find(({ reason }) => reason === 'all_mails_limited');
  if (all !== undefined) logEvent('auth_mail_limit_reached', { mails_per_hour: all.max });
  return exceeded === null
    ? { ok: true, value: null }
    : refuse(exceeded.limit.reason, { retryAfterMs: exceeded.retryAfterMs });
}

/** For an attempt that should not count after all. */
export const refundAttempt = (
  context: AuthContext,
  purposes: readonly Purpose[],
  email: string,
): Promise<void> => refund(context.db, limitsOf(context, purposes, email));

/** Forgets all attempts of these purposes: for a person who has proven who they are. */
export const forgetAttempts = (
  context: AuthContext,
  email: string,
  purposes: readonly Purpose[] = ADDRESS_LIMITS,
): Promise<void> => reset(context.db, allLimitsOf(context, purposes, email));

/**
 * Counts a requested email, whether or not the address has an account, so that the answer does not
 * reveal it. `alongside`: what else the request counts as.
 */
export const countMail = (
  context: AuthContext,
  kind: MailKind,
  email: string,
  alongside: readonly Purpose[] = [],
): Promise<Counted> =>
  countAttempt(
    context,
    [`mail-${kind}`, 'mails', 'mails-pair', 'mails-hour', 'mails-day', 'mails-all', ...alongside],
    email,
  );

/** What a notice is about: the account, its plan, or its API keys and webhooks. */
export type NoticeKind = 'account' | 'plan' | 'key';
const NOTICES = { account: 'notice', plan: 'plan-notice', key: 'key-notice' } as const;

/** `refund`: for a change that was not made, so that nobody is told. */
type CountedNotice = { ok: true; refund: () => Promise<void> } | Refusal;

/**
 * Counts a change of the account that its owner is told about by email. When the limit is reached,
 * the change has to wait, because the owner would not be told. No limit of a network counts: a
 * thief of the session could use it up with emails to others. With autoconfirm anybody can have an
 * account under any address. Until the mailbox is proven, a notice therefore also counts as one of
 * the emails that a stranger's mailbox gets.
 */
export async function countNotice(
  context: AuthContext,
  email: string,
  kind: NoticeKind,
): Promise<CountedNotice> {
  const isUnproven = (await findByEmail(context.db, email))?.proven_at === null;
  const purposes: Purpose[] = [NOTICES[kind], ...(isUnproven ? (['mails'] as const) : [])];
  const counted = await countAttempt(context, purposes, email);
  if (!counted.ok) return { ...counted, reason: 'notices_limited' };
  return { ok: true, refund: () => refundAttempt(context, purposes, email) };
}
