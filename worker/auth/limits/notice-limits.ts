import { DAY_MS } from '#contract/time.ts';
import type { AuthContext } from '#worker/auth/context.ts';
import { consume, type Limit } from './counters.ts';
import { sharedMailLimits } from './mail-limits.ts';
import { counterKey } from './network-limits.ts';

/**
 * What a notice is about: the account, its plan, or its API keys. They are counted apart, so that somebody at an open browser
 * cannot use the notices up with changes of the plan and keep the owner from changing the password.
 */
export type NoticeKind = 'account' | 'plan' | 'key';

/** The purposes in the keys of the counters. */
const PURPOSES: Readonly<Record<NoticeKind, string>> = { account: 'notice', plan: 'plan-notice', key: 'key-notice' };

/** Every notice sends a new link and voids the previous one, so the day's notices must remain findable in a mailbox. */
const PER_ADDRESS_AND_DAY = 5;

/**
 * Counts a change of the account that its owner is told about by email. When the limit is reached, a change of the password has
 * to wait, because the owner would not be told. With autoconfirm anybody can have an account under any address, so a notice
 * counts as an email to a stranger as well.
 */
export async function consumeNotice(
  context: AuthContext,
  email: string,
  kind: NoticeKind = 'account',
): Promise<{ ok: true } | { ok: false; retryAfterMs: number }> {
  const shared = context.settings.autoconfirm ? sharedMailLimits(context) : [];
  const { exceeded } = await consume(context.db, [noticeLimit(context, email, kind), ...shared], context.now);
  return exceeded === null ? { ok: true } : { ok: false, retryAfterMs: exceeded.retryAfterMs };
}

export const noticeLimit = (context: AuthContext, email: string, kind: NoticeKind = 'account'): Limit => ({
  key: counterKey(context, PURPOSES[kind], email),
  max: PER_ADDRESS_AND_DAY,
  windowMs: DAY_MS,
});
