import { sql } from 'drizzle-orm';
import { countNotice } from '#worker/auth/limits/attempts.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import type { Account, SessionRow } from '#worker/auth/service/store.ts';
import { reauthenticate } from '#worker/auth/sessions/reauthenticate.ts';
import { connect } from './identities.ts';
import { fail } from './reasons.ts';
import {
  checkAllowedDomain,
  notifyConnected,
  redeemCallback,
  refuseWith,
  type OidcContext,
  type CallbackCode,
} from './sign-in.ts';

export type ConnectingOwner = OidcContext & { account: Account; session: SessionRow };

/**
 * Connecting a provider needs the same proof as a new password: otherwise a stolen session would be
 * enough to keep the account.
 */
export const beginConnecting = (
  owner: ConnectingOwner,
  currentPassword: string,
): Promise<Result<unknown>> => reauthenticate(owner, owner.account, owner.session, currentPassword);

/**
 * Connects the person who returned from the provider with the account that began. The address
 * at the provider may be another one, and needs no proof: the session is the proof.
 */
export async function finishConnecting(
  owner: ConnectingOwner,
  presented: CallbackCode,
): Promise<Result<null>> {
  const { db, oidc, now, account, notify } = owner;
  const taken = await redeemCallback(owner, presented);
  if (!taken.ok) return taken;
  const { flow, claims } = taken.value;
  if (flow.user_id !== account.id) return refuse('flow_expired');
  const wrongDomain = checkAllowedDomain(oidc, claims);
  if (wrongDomain !== null) return refuseWith(owner, wrongDomain);
  const notice = notify && (await countNotice(owner, account.email, 'account'));
  if (notice?.ok === false) return notice;
  const place = { issuer: oidc.issuer, userId: account.id, now };
  if (!(await connect(db, place, claims, sql`1`))) {
    if (notice !== null) await notice.refund();
    return refuseWith(owner, fail('already_connected'));
  }
  await notifyConnected(owner, account.email);
  return { ok: true, value: null };
}
