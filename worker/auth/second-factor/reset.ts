import { HOUR_MS } from '#contract/time.ts';
import { countNotice } from '#worker/auth/limits/attempts.ts';
import { confirmPageUrl, NOTICE_TTL_MS } from '#worker/auth/mailed-links/mail-link.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import type { Account } from '#worker/auth/service/store.ts';
import { hasTotp } from '#worker/auth/service/user-json.ts';
import { composeMail } from '#worker/mail/compose.ts';
import type { Notify } from '#worker/mail/mailer.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import { findResetLink, finishReset, insertReset, stopReset } from './reset-store.ts';

/** How long the owner has to stop a reset that somebody else has requested. */
const WAIT_MS = 24 * HOUR_MS;

/** `notify` is null if this server sends no mail. */
export type ResetContext = AuthContext & { notify: Notify | null };

/**
 * Requests to turn off a second factor that was lost. The caller has given everything but the code.
 * A mail with a link that stops the reset is sent now, one with the link that turns the factor off
 * after 24 hours. Returns that time.
 */
export async function requestReset(
  context: ResetContext,
  account: Account,
): Promise<Result<{ ready_at: string }>> {
  const { db, settings, now, notify } = context;
  if (!hasTotp(account)) return refuse('factor_unknown');
  if (notify === null) return refuse('no_mailer');
  const notice = await countNotice(context, account.email, 'factor');
  if (!notice.ok) return notice;
  const token = randomToken();
  const readyAt = now + WAIT_MS;
  const isStored = await insertReset(db, {
    user_id: account.id,
    stop_hash: hashToken(token),
    off_hash: null,
    requested_at: now,
    ready_at: readyAt,
    expires_at: readyAt + NOTICE_TTL_MS,
  });
  if (!isStored) {
    await notice.refund();
    return refuse('reset_waits');
  }
  const link = confirmPageUrl(settings.appOrigin, 'recovery', token);
  await notify(composeMail(account.email, MAILS.resetRequested(readyAt), link));
  return { ok: true, value: { ready_at: new Date(readyAt).toISOString() } };
}

/** Stops a reset by the link of its first mail. */
export const stopRequestedReset = async (
  { db, now }: AuthContext,
  token: string,
): Promise<Result<object>> =>
  (await stopReset(db, hashToken(token), now)) ? { ok: true, value: {} } : refuse('reset_unknown');

/** Turns the second factor off by the link of the second mail, and tells the owner. */
export async function finishRequestedReset(
  { db, settings, now, notify }: ResetContext,
  token: string,
): Promise<Result<object>> {
  const email = await finishReset(db, hashToken(token), now);
  if (email === null) return refuse('reset_unknown');
  await notify?.(composeMail(email, MAILS.factorOff, `${settings.appOrigin}/settings`));
  return { ok: true, value: {} };
}

/** Describes a link of a reset like every mailed link; null for another link. */
export async function describeResetLink({ db, now }: AuthContext, hash: string) {
  const found = await findResetLink(db, hash, now);
  return found === undefined ? null : { ...found, keeps_password: found.type === 'factor_off' };
}
