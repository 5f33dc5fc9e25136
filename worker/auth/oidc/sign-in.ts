import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { auth_users } from '#worker/db/schema-auth.ts';
import { SSO_PROVIDER } from '#contract/sign-in/sso.ts';
import { countNotice } from '#worker/auth/limits/attempts.ts';
import { isEmail } from '#worker/auth/service/body.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import type { OidcSettings } from '#worker/auth/service/oidc-settings.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import {
  findByEmail,
  findById,
  insertAccount,
  newAccount,
  type Account,
} from '#worker/auth/service/store.ts';
import { hasTotp } from '#worker/auth/service/user-json.ts';
import { isAccountSuspended } from '#worker/auth/sessions/session-state.ts';
import {
  issueTokens,
  newSession,
  refuseSuspended,
  type TokenResponse,
} from '#worker/auth/sessions/sessions.ts';
import { composeMail } from '#worker/mail/compose.ts';
import type { Notify } from '#worker/mail/mailer.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { describeSsoRefusal } from '#worker/messages/sso.ts';
import { parseClaims, type Claims } from './ask-provider.ts';
import { recordFailure } from './failures.ts';
import { deleteFlow, findFlow, takeCode, type FlowRow } from './flows.ts';
import {
  connect,
  connectByMailbox,
  findIdentity,
  keepProvenEmail,
  startProviderSession,
  type ProviderIdentity,
} from './identities.ts';
import { fail, type Failed } from './reasons.ts';

/** `notify` sends the notice of a connected provider; null if this server sends no mail. */
export type OidcContext = AuthContext & { oidc: OidcSettings; notify: Notify | null };

/** The one-time code of a callback, with the secret of the browser that began the sign-in. */
export type CallbackCode = { code: string; verifier: string };

type Owned = { ok: true; value: Pick<ProviderIdentity, 'issuer' | 'subject' | 'user_id'> };

/**
 * Exchanges the code of a callback for a session. The code alone is worthless: only the browser that
 * began has the verifier. An account is created or connected here and not in the callback, so that
 * opening an address changes nothing.
 */
export async function signInWithProvider(
  context: OidcContext,
  presented: CallbackCode,
): Promise<Result<TokenResponse>> {
  const { db, oidc, now } = context;
  const taken = await redeemCallback(context, presented);
  if (!taken.ok) return taken;
  const { flow, claims } = taken.value;
  if (flow.user_id !== null) return refuse('flow_expired');
  const mailbox = flow.mailbox_proven_at === null ? null : flow.mailbox;
  const identity = await identify(context, claims, mailbox);
  if (!identity.ok) return 'failure' in identity ? refuseWith(context, identity) : identity;
  const session = newSession(context, 'oauth', now + oidc.sessionMs);
  const owner = identity.value;
  const account = await startProviderSession(db, owner, claims, {
    ...session,
    user_id: owner.user_id,
  });
  if (account !== undefined) {
    const row = { ...session, user_id: account.id };
    return { ok: true, value: await issueTokens(context, account, row) };
  }
  const current = await findById(db, owner.user_id);
  if (current === undefined || !isAccountSuspended(current, now)) return refuse('flow_expired');
  await recordFailure(db, fail('suspended'), now);
  return refuseSuspended(db, current.id);
}

/** Uses up a code and checks the verifier. */
export async function redeemCallback(
  context: OidcContext,
  { code, verifier }: CallbackCode,
): Promise<Result<{ flow: FlowRow; claims: Claims }>> {
  const { db, now } = context;
  const flow = await takeCode(db, code, now);
  const claims = flow?.claims == null ? null : parseClaims(flow.claims);
  if (flow === undefined || claims === null) return refuse('flow_expired');
  if (challengeOf(verifier) !== flow.challenge) {
    await recordFailure(db, fail('other_browser'), now);
    return refuse('other_browser');
  }
  return { ok: true, value: { flow, claims } };
}

/** Reads the flow of a sign-in that waits for a mailed code. Another browser ends it. */
export async function openFlow(
  { db, now }: AuthContext,
  { code, verifier }: CallbackCode,
): Promise<Result<FlowRow>> {
  const flow = await findFlow(db, code, now);
  if (flow === undefined || flow.user_id !== null) return refuse('flow_expired');
  if (challengeOf(verifier) === flow.challenge) return { ok: true, value: flow };
  await deleteFlow(db, flow);
  await recordFailure(db, fail('other_browser'), now);
  return refuse('other_browser');
}

/** RFC 7636 §4.2, S256. */
const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

export async function refuseWith(context: OidcContext, failed: Failed) {
  await recordFailure(context.db, failed, context.now);
  return refuse('provider_refused', {
    detail: describeSsoRefusal(failed.failure, {
      name: context.oidc.name,
      passwords: context.settings.passwords,
    }),
  });
}

/** An address, and whether the provider or a mailed code has verified it. */
type Address = Pick<Claims, 'email' | 'isEmailVerified'>;

/** Checks whether the address is in a domain that may sign in here. */
export function checkAllowedDomain(
  { allowedDomains }: OidcSettings,
  { email, isEmailVerified }: Address,
): Failed | null {
  if (allowedDomains.length === 0) return null;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (email === '') return fail('email_missing');
  if (!isEmailVerified) return fail('email_unverified');
  return allowedDomains.includes(domain) ? null : fail('domain_not_allowed');
}

/**
 * Finds the account of a person of the provider, by issuer and subject alone. A person whom nobody
 * knows yet needs an address that the provider has verified, or that a mailed code has proven
 * (`mailbox`): it creates an account or joins one.
 */
async function identify(
  context: OidcContext,
  claims: Claims,
  mailbox: string | null,
): Promise<Owned | Failed | ReturnType<typeof refuse>> {
  const { db, oidc } = context;
  const known = await findIdentity(db, oidc.issuer, claims.subject);
  const proven = mailbox ?? (claims.isEmailVerified ? null : (known?.proven_email ?? null));
  const address = proven === null ? claims : { email: proven, isEmailVerified: true };
  const wrongDomain = checkAllowedDomain(oidc, address);
  if (wrongDomain !== null) return wrongDomain;
  if (known !== undefined) {
    if (mailbox !== null) await keepProvenEmail(db, known, mailbox);
    return { ok: true, value: known };
  }
  if (!isEmail(address.email)) return fail('email_missing');
  if (!address.isEmailVerified) return fail('email_unverified');
  const existing = await findByEmail(db, address.email);
  return existing === undefined
    ? createAccount(context, claims, address.email, mailbox)
    : joinAccount(context, claims, existing, mailbox);
}

/** True if a mailed code is not enough to connect this account, because it has a second factor. */
export const keepsFactor = (account: Account): boolean =>
  hasTotp(account) && account.proven_at !== null;

/**
 * Connects a person with an existing account and tells its owner. The provider's word joins only an
 * account whose mailbox is proven, and only if the settings allow that.
 */
async function joinAccount(
  context: OidcContext,
  claims: Claims,
  existing: Account,
  mailbox: string | null,
): Promise<Owned | Failed | ReturnType<typeof refuse>> {
  const { db, oidc, now } = context;
  const { issuer } = oidc;
  const { id, email } = existing;
  if (mailbox === null && (!oidc.linksByEmail || existing.proven_at === null))
    return fail('account_exists');
  if (mailbox !== null && keepsFactor(existing)) return fail('account_exists');
  if (isAccountSuspended(existing, now)) return refuseSuspended(db, id);
  const notice = context.notify && (await countNotice(context, email, 'account'));
  if (notice?.ok === false) return notice;
  const isStillProven = sql`exists (select 1 from ${auth_users} where id = ${id}
    and email = ${email} and proven_at is not null and ifnull(banned_until, 0) <= ${now})`;
  const place = { issuer, userId: id, now };
  const isConnected = await (mailbox === null
    ? connect(db, place, claims, isStillProven)
    : connectByMailbox(db, place, claims, mailbox));
  if (!isConnected) {
    if (notice !== null) await notice.refund();
    return fail('already_connected');
  }
  await notifyConnected(context, email);
  return { ok: true, value: { issuer, subject: claims.subject, user_id: id } };
}

/** Creates an account without a password, for an address that is verified or proven. */
async function createAccount(
  { db, settings, oidc, now }: OidcContext,
  claims: Claims,
  email: string,
  mailbox: string | null,
): Promise<Owned | Failed> {
  if (settings.signUp === 'closed') return fail('sign_up_closed');
  const row = newAccount({ email, passwordHash: null, metadata: {}, confirmed: true, now });
  const created = await insertAccount(db, {
    ...row,
    app_metadata: JSON.stringify({ provider: SSO_PROVIDER, providers: [SSO_PROVIDER] }),
    proven_at: now,
  });
  // Somebody has taken the address in the meantime.
  if (created === undefined) return fail('account_exists');
  const place = { issuer: oidc.issuer, userId: created.id, now };
  return (await connect(db, place, claims, sql`1`, mailbox))
    ? { ok: true, value: { issuer: oidc.issuer, subject: claims.subject, user_id: created.id } }
    : fail('already_connected');
}

/** Tells the owner of an account that a provider signs in to it now. */
export async function notifyConnected(
  { notify, settings, oidc }: OidcContext,
  email: string,
): Promise<void> {
  const page = `${settings.appOrigin}/settings`;
  await notify?.(composeMail(email, MAILS.providerConnected(oidc.name), page));
}
