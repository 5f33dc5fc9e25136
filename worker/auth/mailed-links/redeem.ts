import { timingSafeEqual } from 'node:crypto';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { AuthError, badInput } from '#worker/auth/service/errors.ts';
import { consumeCodeAttempt, refundCodeAttempt } from '#worker/auth/limits/code-limits.ts';
import { resetAddressLimits } from '#worker/auth/limits/reset-address-limits.ts';
import {
  accountSuspended,
  isSuspended,
  issueTokens,
  newSession,
  type TokenResponse,
} from '#worker/auth/sessions/sessions.ts';
import { findByEmail, type LinkKind } from '#worker/auth/service/store.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { countCodeAttempt, findLink, redeemLink, type PresentedLink } from './link-store.ts';
import { hashCode } from './mail-link.ts';

/**
 * A link as a page presents it. `signUpSecret` is the secret that this browser keeps since its
 * sign-up, if any.
 */
export type LinkInput = { type: string; token: string; signUpSecret: string | null };

/** A mailed 6-digit code, as a page presents it. */
export type CodeInput = { type: string; email: string; code: string; signUpSecret: string | null };

/** What a link does. If `keeps_password` is false, the page has to ask for a new password next. */
export type LinkDescription = { type: LinkKind; email: string; keeps_password: boolean };

/**
 * Changes nothing. Throws 403 `otp_expired` for a link that is unknown, used, replaced, expired or
 * of another kind.
 */
export async function describeLink(
  context: AuthContext,
  input: LinkInput,
): Promise<LinkDescription> {
  const found = await findLink(context.db, presentedLink(input), context.now);
  if (found === undefined) throw linkExpired();
  return { type: found.kind, email: found.account.email, keeps_password: found.keepsPassword };
}

/** Uses up a mailed link and starts a session. Throws 403 `otp_expired` and 400 `user_banned`. */
export function signInWithLink(context: AuthContext, input: LinkInput): Promise<TokenResponse> {
  return redeem(context, presentedLink(input), linkExpired);
}

/**
 * Uses up a mailed code and starts a session. Throws 403 `otp_expired`, 400 `user_banned`, and 429
 * after too many attempts.
 */
export async function signInWithCode(
  context: AuthContext,
  input: CodeInput,
): Promise<TokenResponse> {
  const { db, now } = context;
  const kinds = kindsOf(input.type);
  await consumeCodeAttempt(context, input.email);
  const account = await findByEmail(db, input.email);
  const candidates = await countCodeAttempt(db, account?.id ?? '', kinds, now);
  const hash = Buffer.from(hashCode(context, account?.id ?? '', input.code), 'hex');
  const match = candidates.find((token) =>
    timingSafeEqual(Buffer.from(token.code_hash, 'hex'), hash),
  );
  if (match === undefined) throw codeExpired();
  await refundCodeAttempt(context);
  return redeem(
    context,
    { hash: match.token_hash, kinds, secretHash: hashSignUpSecret(input.signUpSecret) },
    codeExpired,
  );
}

async function redeem(
  context: AuthContext,
  link: PresentedLink,
  expired: () => AuthError,
): Promise<TokenResponse> {
  const { db, now } = context;
  const session = newSession(context, 'otp');
  const account = await redeemLink(db, link, session);
  if (account === undefined) {
    const found = await findLink(db, link, now);
    throw found !== undefined && isSuspended(found.account, now) ? accountSuspended() : expired();
  }
  await resetAddressLimits(context, account.email);
  return issueTokens(context, account, { ...session, user_id: account.id });
}

/**
 * SHA-256 of the secret that a browser keeps from its sign-up to the confirmation; null without
 * one.
 */
export const hashSignUpSecret = (secret: string | null): string | null =>
  secret === null ? null : hashToken(secret);

const presentedLink = ({ type, token, signUpSecret }: LinkInput): PresentedLink => ({
  hash: hashToken(token),
  // The link in a notice is a recovery for the page that opens it. It has no code.
  kinds: type === 'recovery' ? ['recovery', 'secure'] : kindsOf(type),
  secretHash: hashSignUpSecret(signUpSecret),
});

/**
 * The kinds of link that a `type` means; none for types that the client knows and this service
 * never sends. Throws 400.
 */
function kindsOf(type: string): LinkKind[] {
  if (type === 'signup') return ['signup'];
  if (type === 'recovery' || type === 'magiclink') return ['recovery'];
  if (type === 'email') return ['signup', 'recovery'];
  if (type === 'invite' || type === 'email_change') return [];
  throw badInput('Invalid email verification type');
}

const linkExpired = (): AuthError =>
  new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');

const codeExpired = (): AuthError =>
  new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
