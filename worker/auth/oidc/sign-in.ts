import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { auth_users } from '#worker/db/schema-auth.ts';
import { SSO_PROVIDER } from '#contract/sso.ts';
import { countNotice } from '#worker/auth/limits/attempts.ts';
import { isEmail } from '#worker/auth/service/body.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import type { OidcSettings } from '#worker/auth/service/oidc-settings.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { findByEmail, findById, insertAccount, newAccount } from '#worker/auth/service/store.ts';
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
import { takeCode, type FlowRow } from './flows.ts';
import {
  connect,
  findIdentity,
  startProviderSession,
  type ProviderIdentity,
} from './identities.ts';
import { fail, type Failed } from './reasons.ts';

/** `notify` sends the notice of a connected provider; null if this server sends no mail. */
export type OidcContext = AuthContext & { oidc: OidcSettings; notify: Notify | null };

/** The one-time code of a callback, with the secret of the browser that began. */
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
  const identity = await identify(context, claims);
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

/** RFC 7636 §4.2, S256. */
const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

export async function refuseWith(context: OidcContext, failed: Failed) {
  await recordFailure(context.db, failed, context.now);
  return refuse('provider_refused', {
    detail: describeSsoRefusal(failed.failure, context.oidc.name),
  });
}

/** Whether the provider's word about the address is enough to sign in here at all. */
export function checkDomain({ allowedDomains }: OidcSettings, claims: Claims): Failed | null {
  if (allowedDomains.length === 0) return null;
  const domain = claims.email.slice(claims.email.lastIndexOf('@') + 1);
  if (claims.email === '') return fail('email_missing');
  if (!claims.isEmailVerified) return fail('email_unverified');
  return allowedDomains.includes(domain) ? null : fail('domain_not_allowed');
}

/**
 * Finds the account of a person of the provider, by issuer and subject alone. A person whom nobody
 * knows yet needs a verified address: it creates an account, or joins the one whose mailbox is
 * proven, if the settings allow that.
 */
async function identify(
  context: OidcContext,
  claims: Claims,
): Promise<Owned | Failed | ReturnType<typeof refuse>> {
  const { db, oidc, now } = context;
  const { issuer } = oidc;
  const wrongDomain = checkDomain(oidc, claims);
  if (wrongDomain !== null) return wrongDomain;
  const known = await findIdentity(db, issuer, claims.subject);
  if (known !== undefined) return { ok: true, value: known };
  if (!isEmail(claims.email)) return fail('email_missing');
  if (!claims.isEmailVerified) return fail('email_unverified');
  const existing = await findByEmail(db, claims.email);
  if (existing === undefined) return createAccount(context, claims);
  if (!oidc.linksByEmail || existing.proven_at === null) return fail('account_exists');
  if (isAccountSuspended(existing, now)) return refuseSuspended(db, existing.id);
  const notice = context.notify && (await countNotice(context, existing.email, 'account'));
  if (notice?.ok === false) return notice;
  const isStillProven = sql`exists (select 1 from ${auth_users} where id = ${existing.id}
    and email = ${claims.email} and proven_at is not null and ifnull(banned_until, 0) <= ${now})`;
  const place = { issuer, userId: existing.id, now };
  if (!(await connect(db, place, claims, isStillProven))) {
    if (notice !== null) await notice.refund();
    return fail('already_connected');
  }
  await notifyConnected(context, existing.email);
  return { ok: true, value: { issuer, subject: claims.subject, user_id: existing.id } };
}

/** Creates an account without a password. The provider has verified its address. */
async function createAccount(
  { db, settings, oidc, now }: OidcContext,
  claims: Claims,
): Promise<Owned | Failed> {
  if (settings.signUp === 'closed') return fail('sign_up_closed');
  const row = newAccount({
    email: claims.email,
    passwordHash: null,
    metadata: {},
    confirmed: true,
    now,
  });
  const created = await insertAccount(db, {
    ...row,
    app_metadata: JSON.stringify({ provider: SSO_PROVIDER, providers: [SSO_PROVIDER] }),
    proven_at: now,
  });
  // Somebody has taken the address in the meantime.
  if (created === undefined) return fail('account_exists');
  const place = { issuer: oidc.issuer, userId: created.id, now };
  return (await connect(db, place, claims, sql`1`))
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
