import { timingSafeEqual } from 'node:crypto';
import { pageAfterSignIn } from '#contract/paths.ts';
import type { Attempt } from '#worker/auth/limits/attempt.ts';
import { AuthError, badInput } from '#worker/auth/errors.ts';
import { beginCodeTry, codeWasRight } from '#worker/auth/limits/code-limits.ts';
import { addressWasProven } from '#worker/auth/limits/limits.ts';
import { countCodeAttempt, describeLink, putOneTimeToken, redeemLink, type PresentedLink } from './link-store.ts';
import { writeMail } from '#worker/auth/mail/mail-text.ts';
import type { Post } from '#worker/auth/mail/mailer.ts';
import { fingerprint, randomCode, randomToken, tokenHash } from '#worker/auth/secrets.ts';
import { isSuspended, newSession, suspended, tokensOf, type TokenResponse } from '#worker/auth/sessions/sessions.ts';
import { findByEmail, type Account, type Kind, type MailKind } from '#worker/auth/store.ts';

export type AuthRequest = Attempt & { post: Post };

/** To whom a mail of a kind goes. `account` is undefined where none may go: the same work is done then, for nobody. */
export type Addressee = { email: string; account: Account | undefined };

/**
 * Makes a link and a code of this kind, voids older ones, and mails them. `next`: the page to show afterwards, as
 * `pageAfterSignIn` gives it.
 */
export async function mailLink(request: AuthRequest, { email, account }: Addressee, kind: MailKind, next: string): Promise<void> {
  const { db, settings, now, post } = request;
  const userId = account?.id ?? nobody(request, email);
  const token = randomToken();
  const code = randomCode();
  await putOneTimeToken(
    db,
    {
      user_id: userId,
      kind,
      token_hash: tokenHash(token),
      code_hash: codeHash(request, userId, code),
      expires_at: now + settings.linkTtlMs,
    },
    now,
  );
  const mail = writeMail(kind, email, confirmLink(settings.appOrigin, kind, token, next), code, settings.linkTtlMs);
  await (account === undefined ? post.pretend(mail) : post.send(mail));
}

/**
 * The address of the page that shows what a link does and redeems it when its button is pressed. Everything is in the fragment,
 * which no server, log or redirect sees. Members that are null are left out, and so is the page that is shown anyway.
 */
export function confirmLink(appOrigin: string, type: MailKind | null, token: string | null, next?: string): string {
  const members = new URLSearchParams();
  if (type !== null) members.set('type', type);
  if (token !== null) members.set('token_hash', token);
  if (next !== undefined && next !== pageAfterSignIn(null, appOrigin)) members.set('next', next);
  return `${appOrigin}/auth/confirm#${members.toString()}`;
}

/** Whom the token belongs to that nobody gets: one row per address at the most, and no account has such an id. */
const nobody = (request: Attempt, email: string): string => `nobody:${fingerprint(request.settings.secret, 'nobody', email)}`;

/** A link as a page presents it: `type` as in the address, and the sign-up secret that this browser keeps, if any. */
export type LinkInput = { type: string; token: string; signUpSecret: string | null };

/** What a link is for. `keeps_password` is false where the page has to ask for a new password next. */
export type LinkDescription = { type: Kind; email: string; keeps_password: boolean };

/** Throws 403 `otp_expired` for a link that is unknown, used, replaced, too old or of another kind. Changes nothing. */
export async function describe(attempt: Attempt, input: LinkInput): Promise<LinkDescription> {
  const found = await describeLink(attempt.db, presented(input), attempt.now);
  if (found === undefined) throw linkExpired();
  return { type: found.kind, email: found.account.email, keeps_password: found.keepsPassword };
}

/** Uses a mailed link up and begins a session. Throws 403 as `describe`, 400 `user_banned`. */
export async function verifyLink(attempt: Attempt, input: LinkInput): Promise<TokenResponse> {
  return redeem(attempt, presented(input), linkExpired);
}

/** Uses a mailed 6-digit code up: few tries per mail, per address and per network. Throws 403 `otp_expired`, 400 and 429. */
export async function verifyCode(
  attempt: Attempt,
  input: { type: string; email: string; code: string; signUpSecret: string | null },
): Promise<TokenResponse> {
  const { db, now } = attempt;
  const kinds = codeKinds(input.type);
  await beginCodeTry(attempt, input.email);
  const account = await findByEmail(db, input.email);
  const open = await countCodeAttempt(db, account?.id ?? '', kinds, now);
  const wanted = Buffer.from(codeHash(attempt, account?.id ?? '', input.code), 'hex');
  const match = open.find((token) => timingSafeEqual(Buffer.from(token.code_hash, 'hex'), wanted));
  if (match === undefined) throw codeExpired();
  await codeWasRight(attempt);
  return redeem(attempt, { hash: match.token_hash, kinds, secretHash: secretHashOf(input.signUpSecret) }, codeExpired);
}

async function redeem(attempt: Attempt, link: PresentedLink, expired: () => AuthError): Promise<TokenResponse> {
  const { db, now } = attempt;
  const session = newSession('otp', now);
  const done = await redeemLink(db, link, session);
  if (done === undefined) {
    const found = await describeLink(db, link, now);
    throw found !== undefined && isSuspended(found.account, now) ? suspended() : expired();
  }
  await addressWasProven(attempt, done.account.email);
  return tokensOf(attempt, done.account, { ...session, user_id: done.account.id });
}

/** SHA-256 of the secret that a browser keeps between its sign-up and the confirmation; null without one. */
export const secretHashOf = (secret: string | null): string | null => (secret === null ? null : tokenHash(secret));

const presented = ({ type, token, signUpSecret }: LinkInput): PresentedLink => ({
  hash: tokenHash(token),
  // The link of a notice is a recovery for the page that opens it, but has no code.
  kinds: type === 'recovery' ? ['recovery', 'secure'] : codeKinds(type),
  secretHash: secretHashOf(signUpSecret),
});

/** The kinds a `type` stands for. Throws 400 for a word that is no type at all; known types without a mail here are empty. */
function codeKinds(type: string): Kind[] {
  if (type === 'signup') return ['signup'];
  if (type === 'recovery' || type === 'magiclink') return ['recovery'];
  if (type === 'email') return ['signup', 'recovery'];
  if (type === 'invite' || type === 'email_change') return [];
  throw badInput('Invalid email verification type');
}

const linkExpired = (): AuthError => new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');

const codeExpired = (): AuthError => new AuthError(403, 'otp_expired', 'Token has expired or is invalid');

const codeHash = (request: Attempt, userId: string, code: string): string =>
  fingerprint(request.settings.secret, 'one-time-code', `${userId}:${code}`);
