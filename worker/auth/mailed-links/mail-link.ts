import { pageAfterSignIn } from '#contract/paths.ts';
import type { AuthContext } from '#worker/auth/context.ts';
import { composeLinkMail } from '#worker/auth/mail/compose.ts';
import type { MailContext } from '#worker/auth/mail/mailer.ts';
import type { Account, MailKind } from '#worker/auth/store.ts';
import { hashToken, randomCode, randomToken } from '#worker/auth/tokens/one-time-secret.ts';
import { keyedHash } from '#worker/http/keyed-hash.ts';
import { storeOneTimeToken } from './link-store.ts';

/** Who gets an email. If `account` is undefined nobody does, but the same work is done. */
export type Recipient = { email: string; account: Account | undefined };

/**
 * Creates a link and a code of this kind, voids older ones, and emails them. `next` is the page to show afterwards, as returned by
 * `pageAfterSignIn`.
 */
export async function mailLink(context: MailContext, { email, account }: Recipient, kind: MailKind, next: string): Promise<void> {
  const { db, settings, now, mailer } = context;
  const userId = account?.id ?? placeholderId(context, email);
  const token = randomToken();
  const code = randomCode();
  await storeOneTimeToken(
    db,
    {
      user_id: userId,
      kind,
      token_hash: hashToken(token),
      code_hash: hashCode(context, userId, code),
      expires_at: now + settings.linkTtlMs,
    },
    now,
  );
  const link = confirmPageUrl(settings.appOrigin, kind, token, next);
  const mail = composeLinkMail(kind, email, link, code, settings.linkTtlMs);
  await (account === undefined ? mailer.simulate(mail) : mailer.send(mail));
}

/**
 * The URL of the page that shows what a link does and redeems it when its button is pressed. Everything is in the fragment, which
 * no server, log or redirect sees. Parameters that are null are omitted, and so is `next` if it is the default page.
 */
export function confirmPageUrl(appOrigin: string, type: MailKind | null, token: string | null, next?: string): string {
  const fragment = new URLSearchParams();
  if (type !== null) fragment.set('type', type);
  if (token !== null) fragment.set('token_hash', token);
  if (next !== undefined && next !== pageAfterSignIn(null, appOrigin)) fragment.set('next', next);
  return `${appOrigin}/auth/confirm#${fragment.toString()}`;
}

/** The hash under which a 6-digit code is stored. It is keyed, because a million codes are quickly hashed. */
export const hashCode = ({ settings }: AuthContext, userId: string, code: string): string =>
  keyedHash(settings.secret, 'one-time-code', `${userId}:${code}`);

/** The owner of a token that is sent to nobody. No account has such an id, and an address has one, so it adds at most two rows. */
const placeholderId = ({ settings }: AuthContext, email: string): string =>
  `nobody:${keyedHash(settings.secret, 'nobody', email)}`;
