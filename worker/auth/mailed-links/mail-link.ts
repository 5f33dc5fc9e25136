import { DAY_MS } from '#contract/time.ts';
import { pageAfterSignIn } from '#contract/pages/paths.ts';
import type { AuthContext, MailContext } from '#worker/auth/service/context.ts';
import { composeMail, type Mail } from '#worker/mail/compose.ts';
import { MAILS, type MailKind } from '#worker/mail/texts.ts';
import { findByEmail, type Account, type OneTimeToken } from '#worker/auth/service/store.ts';
import { hashToken, randomCode, randomToken } from '#worker/secrets/one-time-secret.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import { storeOneTimeToken } from './link-store.ts';

/**
 * How long the link in a notice of a change works: longer than a weekend away from the mailbox.
 */
export const NOTICE_TTL_MS = 7 * DAY_MS;

/** The token of the link in a notice about the account. */
export const noticeToken = (user_id: string, token_hash: string, now: number): OneTimeToken => ({
  user_id,
  kind: 'secure',
  token_hash,
  code_hash: '',
  expires_at: now + NOTICE_TTL_MS,
});

/**
 * The recipient of an email. If `account` is undefined, `instead` is sent, or nothing. Every case
 * does the same work.
 */
export type MailRecipient = { email: string; account: Account | undefined; instead?: Mail };

/**
 * Emails the link that confirms an address. The owner of a confirmed address is told that they have
 * an account, because the page must not say so. An unknown address gets nothing. `next` is as in
 * `mailLink`.
 */
export async function mailConfirmation(
  context: MailContext,
  email: string,
  next: string,
): Promise<void> {
  const account = await findByEmail(context.db, email);
  const isConfirmed = account !== undefined && account.email_confirmed_at !== null;
  const recipient = isConfirmed
    ? { email, account: undefined, instead: accountNotice(context, email, next) }
    : { email, account };
  await context.mailer.defer(mailLink(context, recipient, 'signup', next));
}

function accountNotice(
  { settings: { appOrigin } }: AuthContext,
  email: string,
  next: string,
): Mail {
  const page = (tab: string): string => {
    const query = new URLSearchParams(tab === '' ? [] : [['tab', tab]]);
    if (next !== pageAfterSignIn(null, appOrigin)) query.set('next', next);
    return `${appOrigin}/auth${query.size === 0 ? '' : `?${query.toString()}`}`;
  };
  return composeMail(email, MAILS.account(page('forgot')), page(''));
}

/**
 * Creates a link and a code of this kind, voids older ones, and emails them. `next` is the page to
 * show afterwards, as returned by `pageAfterSignIn`.
 */
export async function mailLink(
  context: MailContext,
  { email, account, instead }: MailRecipient,
  kind: MailKind,
  next: string,
): Promise<void> {
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
  const mail = composeMail(email, MAILS[kind](settings.linkTtlMs), link, code);
  const sent = account === undefined ? instead : mail;
  await (sent === undefined ? mailer.simulate(mail) : mailer.send(sent));
}

/**
 * Returns the URL of the page that describes a link and redeems it when its button is pressed. All
 * parameters are in the fragment, which no server, log or redirect sees. Null parameters are
 * omitted, and so is `next` if it is the default page.
 */
export function confirmPageUrl(
  appOrigin: string,
  type: MailKind | null,
  token: string | null,
  next?: string,
): string {
  const fragment = new URLSearchParams();
  if (type !== null) fragment.set('type', type);
  if (token !== null) fragment.set('token_hash', token);
  if (next !== undefined && next !== pageAfterSignIn(null, appOrigin)) fragment.set('next', next);
  return `${appOrigin}/auth/confirm#${fragment.toString()}`;
}

/**
 * The hash under which a 6-digit code is stored. It is keyed, because anybody can hash a million
 * codes quickly.
 */
export const hashCode = ({ settings }: AuthContext, userId: string, code: string): string =>
  keyedHash(settings.secret, 'one-time-code', `${userId}:${code}`);

/**
 * The owner of a token that is sent to nobody. No account has such an id. An address always gets
 * the same one, so it adds at most two rows.
 */
const placeholderId = ({ settings }: AuthContext, email: string): string =>
  `nobody:${keyedHash(settings.secret, 'nobody', email)}`;
