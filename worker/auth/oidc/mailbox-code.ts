import { timingSafeEqual } from 'node:crypto';
import { SSO_MAILBOX_MINUTES, type SsoMailbox } from '#contract/sign-in/sso.ts';
import { MINUTE_MS } from '#contract/time.ts';
import {
  countAttempt,
  countMail,
  forgetAttempts,
  refundAttempt,
} from '#worker/auth/limits/attempts.ts';
import { CODE_LIMITS } from '#worker/auth/limits/limits.ts';
import { isEmail } from '#worker/auth/service/body.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { findByEmail } from '#worker/auth/service/store.ts';
import { composeMail } from '#worker/mail/compose.ts';
import type { Mailer } from '#worker/mail/mailer.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import { randomCode } from '#worker/secrets/one-time-secret.ts';
import type { Claims } from './ask-provider.ts';
import { countMailboxAttempt, markMailboxProven, storeMailboxCode } from './flows.ts';
import { findIdentity, findIdentityOf } from './identities.ts';
import {
  checkAllowedDomain,
  keepsFactor,
  openFlow,
  refuseWith,
  type CallbackCode,
  type OidcContext,
} from './sign-in.ts';

const CODE_MS = SSO_MAILBOX_MINUTES * MINUTE_MS;

/**
 * Why a person of the provider has to prove a mailbox before the sign-in continues: the provider has
 * not verified an address, or the address has an account here that is not connected automatically. Null
 * if nothing is missing, or if a code would not help.
 */
export async function missingProof(
  { db, oidc }: OidcContext,
  claims: Claims,
): Promise<SsoMailbox | null> {
  const emailFault = !isEmail(claims.email)
    ? 'missing'
    : claims.isEmailVerified
      ? null
      : 'unverified';
  const known = await findIdentity(db, oidc.issuer, claims.subject);
  if (known !== undefined)
    return oidc.allowedDomains.length > 0 && known.proven_email === null ? emailFault : null;
  if (emailFault !== null) return emailFault;
  if (checkAllowedDomain(oidc, claims) !== null) return null;
  const existing = await findByEmail(db, claims.email);
  if (existing === undefined || keepsFactor(existing)) return null;
  if (oidc.linksByEmail && existing.proven_at !== null) return null;
  const isTaken =
    existing.proven_at !== null &&
    (await findIdentityOf(db, existing.id, oidc.issuer)) !== undefined;
  return isTaken ? null : 'exists';
}

/**
 * Emails a code to the address that somebody entered after a sign-in at the provider. Every address
 * gets one, whether or not it has an account, so neither the answer nor its time tells.
 */
export async function mailMailboxCode(
  context: OidcContext & { mailer: Mailer },
  presented: CallbackCode,
  email: string,
): Promise<Result<null>> {
  const { db, settings, oidc, mailer, now } = context;
  const opened = await openFlow(context, presented);
  if (!opened.ok) return opened;
  const wrongDomain = checkAllowedDomain(oidc, { email, isEmailVerified: true });
  if (wrongDomain !== null) return refuseWith(context, wrongDomain);
  const counted = await countMail(context, 'provider', email);
  if (!counted.ok) return counted;
  const code = randomCode();
  const { id } = opened.value;
  await storeMailboxCode(db, id, {
    mailbox: email,
    hash: hashMailboxCode(settings.secret, id, email, code),
    expiresAt: now + CODE_MS,
  });
  const mail = composeMail(email, MAILS.mailbox(oidc.name), '', code);
  await mailer.defer(mailer.send(mail));
  return { ok: true, value: null };
}

/**
 * Compares a mailed code, which works once and for five tries. The mailbox then counts as proven
 * for this sign-in alone, which its browser still has to finish.
 */
export async function acceptMailboxCode(
  context: OidcContext,
  presented: CallbackCode,
  code: string,
): Promise<Result<null>> {
  const { db, settings, now } = context;
  const opened = await openFlow(context, presented);
  if (!opened.ok) return opened;
  const { id, mailbox } = opened.value;
  if (mailbox === null) return refuse('code_expired');
  const counted = await countAttempt(context, CODE_LIMITS, mailbox);
  if (!counted.ok) return counted;
  const stored = await countMailboxAttempt(db, id, mailbox);
  const hash = hashMailboxCode(settings.secret, id, mailbox, code);
  if (stored === null || !isSameHash(stored, hash)) return refuse('code_expired');
  if (!(await markMailboxProven(db, id, hash, now))) return refuse('code_expired');
  await refundAttempt(context, ['code-network', 'code-all'], mailbox);
  await forgetAttempts(context, mailbox);
  return { ok: true, value: null };
}

const isSameHash = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

/** Keyed, because anybody can hash a million codes quickly. */
const hashMailboxCode = (secret: string, flow: string, email: string, code: string): string =>
  keyedHash(secret, 'mailbox-code', `${flow}:${email}:${code}`);
