import { consumeMail } from '#worker/auth/limits/mail-limits.ts';
import type { MailContext } from '#worker/auth/service/context.ts';
import { findByEmail } from '#worker/auth/service/store.ts';
import { mailConfirmation, mailLink } from './mail-link.ts';

/** A request for an email. `next` is the page to show after its link was used. */
export type LinkRequest = { email: string; next: string };

/**
 * Emails a link for a forgotten password. An unknown address gets the same answer and interval, but
 * no email.
 */
export async function requestRecovery(
  context: MailContext,
  { email, next }: LinkRequest,
): Promise<void> {
  await consumeMail(context, 'recovery', email);
  const account = await findByEmail(context.db, email);
  await context.mailer.defer(mailLink(context, { email, account }, 'recovery', next));
}

/**
 * Emails the confirmation again, or to a confirmed address that it has an account. Does nothing for
 * an unknown one. The answer reveals none of this.
 */
export async function resendConfirmation(
  context: MailContext,
  { email, next }: LinkRequest,
): Promise<void> {
  await consumeMail(context, 'signup', email);
  await mailConfirmation(context, email, next);
}
