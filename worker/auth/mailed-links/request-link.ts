import { consumeMail } from '#worker/auth/limits/mail-limits.ts';
import type { MailContext } from '#worker/auth/mail/mailer.ts';
import { findByEmail, type MailKind } from '#worker/auth/store.ts';
import { mailLink } from './mail-link.ts';

/** A request for an email. `next` is the page to show after its link was used. */
export type LinkRequest = { email: string; next: string };

/** Emails a link for a forgotten password. An unknown address gets the same answer and interval, but no email. */
export async function requestRecovery(context: MailContext, request: LinkRequest): Promise<void> {
  await requestLink(context, request, 'recovery', () => true);
}

/** Emails the confirmation again. Does nothing for an unknown or a confirmed address, which the answer does not reveal. */
export async function resendConfirmation(context: MailContext, request: LinkRequest): Promise<void> {
  await requestLink(context, request, 'signup', (confirmedAt) => confirmedAt === null);
}

async function requestLink(
  context: MailContext,
  { email, next }: LinkRequest,
  kind: MailKind,
  isWanted: (confirmedAt: number | null) => boolean,
): Promise<void> {
  await consumeMail(context, kind, email, context.mailer.isExternal);
  const found = await findByEmail(context.db, email);
  const account = found !== undefined && isWanted(found.email_confirmed_at) ? found : undefined;
  await context.mailer.defer(mailLink(context, { email, account }, kind, next));
}
