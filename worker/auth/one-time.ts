import { timingSafeEqual } from 'node:crypto';
import { AuthError, badInput } from './auth-problem.ts';
import type { Pkce } from './body.ts';
import { addressWasProven, beginCodeTry, type Attempt } from './limits.ts';
import { writeMail } from './mail-text.ts';
import type { Post } from './mail.ts';
import { fingerprint, randomCode, randomToken, tokenHash } from './secrets.ts';
import {
  changeAccount,
  countCodeAttempt,
  deleteTokensOf,
  findByEmail,
  findById,
  putOneTimeToken,
  takeOneTimeToken,
  type Account,
  type Kind,
} from './store.ts';
import { readMetadata } from './user-json.ts';

export type AuthRequest = Attempt & { post: Post };

/** `pkce_` before a token selects the PKCE flow at the click, as in the original. */
const PKCE_PREFIX = 'pkce_';

/** To whom a mail of a kind goes. `account` is undefined where none may go: the same work is done then, for nobody. */
export type Addressee = { email: string; account: Account | undefined };

/** Makes a link and a code of this kind, voids older ones, and mails them. `redirectTo` has been checked. */
export async function mailLink(
  request: AuthRequest,
  { email, account }: Addressee,
  kind: Kind,
  redirectTo: string,
  pkce: Pkce | null,
): Promise<void> {
  const { db, settings, now, post } = request;
  const userId = account?.id ?? nobody(request, email);
  const token = (pkce === null ? '' : PKCE_PREFIX) + randomToken();
  const code = randomCode();
  await putOneTimeToken(
    db,
    {
      user_id: userId,
      kind,
      token_hash: tokenHash(token),
      code_hash: codeHash(request, userId, code),
      code_challenge: pkce?.challenge ?? null,
      code_challenge_method: pkce?.method ?? null,
      expires_at: now + settings.linkTtlMs,
    },
    now,
  );
  const query = new URLSearchParams({ token, type: kind, redirect_to: redirectTo });
  const link = `${settings.issuer}/verify?${query.toString()}`;
  const mail = writeMail(kind, email, link, code, settings.linkTtlMs);
  await (account === undefined ? post.pretend(mail) : post.send(mail));
}

/** Whom the token belongs to that nobody gets: one row per address at the most, and no account has such an id. */
const nobody = (request: Attempt, email: string): string => `nobody:${fingerprint(request.settings.secret, 'nobody', email)}`;

/** A mailbox owner, as a used-up link or code shows: with `pkce` only a code may be handed out, else a session. */
export type Proof = { account: Account; kind: Kind; pkce: Pkce | null };

/** Uses a mailed link up. Throws 403 `otp_expired` for one that is unknown, used, replaced, too old or of another kind. */
export async function redeemLink(request: Attempt, token: string, type: string): Promise<Proof> {
  const kinds = kindsOf(type);
  const taken = kinds.length === 0 ? undefined : await takeOneTimeToken(request.db, tokenHash(token), kinds, request.now);
  const account = taken === undefined ? undefined : await findById(request.db, taken.user_id);
  if (taken === undefined || account === undefined)
    throw new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
  const { code_challenge: challenge, code_challenge_method: method } = taken;
  const pkce: Pkce | null =
    token.startsWith(PKCE_PREFIX) && challenge !== null ? { challenge, method: method === 'plain' ? 'plain' : 's256' } : null;
  return proven(request, account, taken.kind, pkce);
}

/** Uses a mailed 6-digit code up: few tries per mail, few per address and hour. Throws 403 `otp_expired`, 429. */
export async function redeemCode(request: Attempt, email: string, code: string, type: string): Promise<Proof> {
  const kinds = kindsOf(type);
  await beginCodeTry(request, email);
  const account = await findByEmail(request.db, email);
  const open = await countCodeAttempt(request.db, account?.id ?? '', kinds, request.now);
  const wanted = Buffer.from(codeHash(request, account?.id ?? '', code), 'hex');
  const match = open.find((token) => timingSafeEqual(Buffer.from(token.code_hash, 'hex'), wanted));
  const taken = match && (await takeOneTimeToken(request.db, match.token_hash, kinds, request.now));
  if (account === undefined || taken === undefined) throw new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
  return proven(request, account, taken.kind, null);
}

/** The kinds a `type` stands for. Throws 400 for a word that is no type at all; known types without a mail here are empty. */
function kindsOf(type: string): Kind[] {
  if (type === 'signup') return ['signup'];
  if (type === 'recovery' || type === 'magiclink') return ['recovery'];
  if (type === 'email') return ['signup', 'recovery'];
  if (type === 'invite' || type === 'email_change') return [];
  throw badInput('Invalid email verification type');
}

/** The mailbox is the owner's: the address is confirmed (by a recovery, too), every other link is void, locks end. */
async function proven(request: Attempt, account: Account, kind: Kind, pkce: Pkce | null): Promise<Proof> {
  const { db, now } = request;
  await deleteTokensOf(db, account.id);
  await addressWasProven(request, account.email);
  if (account.email_confirmed_at !== null && account.confirmation_sent_at !== null) return { account, kind, pkce };
  const confirmed = await changeAccount(db, account.id, {
    email_confirmed_at: account.email_confirmed_at ?? now,
    // Says that a mail of ours was answered: an address that was confirmed without one is not proven (see account.ts).
    confirmation_sent_at: account.confirmation_sent_at ?? now,
    user_metadata: JSON.stringify({ ...readMetadata(account.user_metadata), email_verified: true }),
    updated_at: now,
  });
  return { account: confirmed ?? account, kind, pkce };
}

const codeHash = (request: Attempt, userId: string, code: string): string =>
  fingerprint(request.settings.secret, 'one-time-code', `${userId}:${code}`);
