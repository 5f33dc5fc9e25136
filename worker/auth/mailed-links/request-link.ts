import { countMail, type Counted } from '#worker/auth/limits/attempts.ts';
import type { MailContext } from '#worker/auth/service/context.ts';
import { findByEmail } from '#worker/auth/service/store.ts';
import { mailConfirmation, mailLink } from './mail-link.ts';

/** A request for an email. `next` is the page to show after its link is used. */
export type LinkRequest = { email: string; next: string };

/**
 * Emails a link to reset the password. An unknown address gets the same answer and interval, but no
 * email.
 */
export async function requestRecovery(
  context: MailContext,
  { email, next }: LinkRequest,
): Promise<Counted> {
  const counted = await countMail(context, 'recovery', email);
  if (!counted.ok) return counted;
  const account = await findByEmail(context.db, email);
  await context.mailer.defer(mailLink(context, { email, account }, 'recovery', next));
  return counted;
}

/**
 * Sends the confirmation email again. A confirmed address is told instead that it has an account,
 * and an unknown address gets nothing. The answer reveals none of this.
 */
export async function resendConfirmation(
  context: MailContext,
  { email, next }: LinkRequest,
): Promise<Counted> {
  const counted = await countMail(context, 'signup', email);
  if (counted.ok) await mailConfirmation(context, email, next);
  return counted;
}
