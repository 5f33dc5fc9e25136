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
 * protect. Unknown addresses count like known ones. A refusal has the reason of the longest lock.
 */
export async function countAttempt(
  context: AuthContext,
  purposes: readonly Purpose[],
  email: string,
): Promise<Counted> {
  const limits = limitsOf(context, purposes, email);
  const { exceeded, reached } = await consume(context.db, limits, context.now);
  const sharedLimit = reached.find(({ reason }) => reason === 'all_mails_limited');
  if (sharedLimit !== undefined)
    logEvent('auth_mail_limit_reached', { mails_per_hour: sharedLimit.max });
  return exceeded === null
    ? { ok: true, value: null }
    : refuse(exceeded.limit.reason, { retryAfterMs: exceeded.retryAfterMs });
}

export const refundAttempt = (
  context: AuthContext,
  purposes: readonly Purpose[],
  email: string,
): Promise<void> => refund(context.db, limitsOf(context, purposes, email));

/** Resets the counters of an address, once a person has proven that it is theirs. */
export const forgetAttempts = (
  context: AuthContext,
  email: string,
  purposes: readonly Purpose[] = ADDRESS_LIMITS,
): Promise<void> => reset(context.db, allLimitsOf(context, purposes, email));

/** What a requested email counts under. */
export const mailPurposes = (kind: MailKind | 'provider'): Purpose[] => [
  `mail-${kind}`,
  'mails',
  'mails-pair',
  'mails-hour',
  'mails-day',
  'mails-all',
];

/**
 * Counts a requested email, whether or not the address has an account, so that the answer does not
 * reveal it.
 */
export const countMail = (
  context: AuthContext,
  kind: MailKind | 'provider',
  email: string,
): Promise<Counted> => countAttempt(context, mailPurposes(kind), email);

/**
 * What a notice is about. `key` covers API keys, webhooks and passkeys, `factor` the second
 * factor.
 */
export type NoticeKind = 'account' | 'plan' | 'key' | 'sign_in' | 'factor';
const NOTICES = {
  account: 'notice',
  plan: 'plan-notice',
  key: 'key-notice',
  sign_in: 'sign-in-notice',
  factor: 'factor-notice',
} as const;

/** `refund` takes the count back if the change was not made and nobody is told. */
type CountedNotice = { ok: true; refund: () => Promise<void> } | Refusal;

/**
 * Counts a change that the account's owner is told about by email. When the limit is reached, the
 * change is refused, because the owner would not be told. Limits per network do not apply: a thief
 * of the session could use them up with emails to others. While the mailbox is unproven, the notice
 * also counts as an email to a stranger, because with autoconfirm anybody can have an account under
 * any address.
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
