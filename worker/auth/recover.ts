import type { Pkce } from './body.ts';
import { takeMailSlot } from './limits.ts';
import { mailLink, type AuthRequest } from './one-time.ts';
import { findByEmail, type Kind } from './store.ts';

export type MailWish = { email: string; redirectTo: string; pkce: Pkce | null };

/** Mails a link for a forgotten password. An unknown address gets the same answer, the same interval, and no mail. */
export async function recover(request: AuthRequest, wish: MailWish): Promise<void> {
  await mailIf(request, wish, 'recovery', () => true);
}

/** Mails the confirmation once more; without effect for an unknown or a confirmed address, which the answer does not tell. */
export async function resend(request: AuthRequest, wish: MailWish): Promise<void> {
  await mailIf(request, wish, 'signup', (confirmedAt) => confirmedAt === null);
}

async function mailIf(
  request: AuthRequest,
  wish: MailWish,
  kind: Kind,
  due: (confirmedAt: number | null) => boolean,
): Promise<void> {
  await takeMailSlot(request, kind, wish.email, request.post.leaves);
  const known = await findByEmail(request.db, wish.email);
  const account = known !== undefined && due(known.email_confirmed_at) ? known : undefined;
  await request.post.afterAnswer(mailLink(request, { email: wish.email, account }, kind, wish.redirectTo, wish.pkce));
}
