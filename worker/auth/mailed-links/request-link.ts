import { takeMailSlot } from '#worker/auth/limits/mail-limits.ts';
import { mailLink, type AuthRequest } from './one-time.ts';
import { findByEmail, type MailKind } from '#worker/auth/store.ts';

/** A mail that was asked for; `next`: the page to show after its link was used. */
export type MailInput = { email: string; next: string };

/** Mails a link for a forgotten password. An unknown address gets the same answer, the same interval, and no mail. */
export async function recover(request: AuthRequest, input: MailInput): Promise<void> {
  await mailIf(request, input, 'recovery', () => true);
}

/** Mails the confirmation once more; without effect for an unknown or a confirmed address, which the answer does not tell. */
export async function resend(request: AuthRequest, input: MailInput): Promise<void> {
  await mailIf(request, input, 'signup', (confirmedAt) => confirmedAt === null);
}

async function mailIf(
  request: AuthRequest,
  { email, next }: MailInput,
  kind: MailKind,
  due: (confirmedAt: number | null) => boolean,
): Promise<void> {
  await takeMailSlot(request, kind, email, request.post.leaves);
  const known = await findByEmail(request.db, email);
  const account = known !== undefined && due(known.email_confirmed_at) ? known : undefined;
  await request.post.afterAnswer(mailLink(request, { email, account }, kind, next));
}
