import { timingSafeEqual } from 'node:crypto';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { countAttempt, forgetAttempts, refundAttempt } from '#worker/auth/limits/attempts.ts';
import { CODE_LIMITS } from '#worker/auth/limits/limits.ts';
import { isAccountSuspended } from '#worker/auth/sessions/session-state.ts';
import {
  beginSession,
  newSession,
  refuseSuspended,
  type TokenResponse,
} from '#worker/auth/sessions/sessions.ts';
import { findByEmail, type LinkKind } from '#worker/auth/service/store.ts';
import { countCodeAttempt, findMailedLink, redeemLink, type PresentedLink } from './link-store.ts';
import { hashCode } from './mail-link.ts';

/** A code as somebody enters it. `secretHash` is as in `PresentedLink`. */
export type PresentedCode = Omit<PresentedLink, 'hash'> & { email: string; code: string };

/** What a link does. If `keeps_password` is false, the page must ask for a new password next. */
export type LinkDescription = { type: LinkKind; email: string; keeps_password: boolean };

/**
 * Describes a link without using it up. Refuses a link that is unknown, used, replaced, expired or
 * of another kind.
 */
export async function describeMailedLink(
  context: AuthContext,
  link: PresentedLink,
): Promise<Result<LinkDescription>> {
  const found = await findMailedLink(context.db, link, context.now);
  if (found === undefined) return refuse('link_expired');
  const { kind, account, keepsPassword } = found;
  return { ok: true, value: { type: kind, email: account.email, keeps_password: keepsPassword } };
}

export const signInWithLink = (
  context: AuthContext,
  link: PresentedLink,
): Promise<Result<TokenResponse>> => redeem(context, link, 'link_expired');

export async function signInWithCode(
  context: AuthContext,
  { kinds, email, code, secretHash }: PresentedCode,
): Promise<Result<TokenResponse>> {
  const { db, now } = context;
  const counted = await countAttempt(context, CODE_LIMITS, email);
  if (!counted.ok) return counted;
  const account = await findByEmail(db, email);
  const candidates = await countCodeAttempt(db, account?.id ?? '', kinds, now);
  const hash = Buffer.from(hashCode(context, account?.id ?? '', code), 'hex');
  const match = candidates.find((token) =>
    timingSafeEqual(Buffer.from(token.code_hash, 'hex'), hash),
  );
  if (match === undefined) return refuse('code_expired');
  await refundAttempt(context, ['code-network', 'code-all'], email);
  return redeem(context, { hash: match.token_hash, kinds, secretHash }, 'code_expired');
}

async function redeem(
  context: AuthContext,
  link: PresentedLink,
  expired: 'link_expired' | 'code_expired',
): Promise<Result<TokenResponse>> {
  const { db, now } = context;
  const session = newSession(context, 'otp');
  const account = await redeemLink(db, link, session);
  if (account === undefined) {
    const valid = await findMailedLink(db, link, now);
    return valid !== undefined && isAccountSuspended(valid.account, now)
      ? refuseSuspended(db, valid.account.id)
      : refuse(expired);
  }
  await forgetAttempts(context, account.email);
  const tokens = await beginSession(context, account, { ...session, user_id: account.id });
  return { ok: true, value: tokens };
}
