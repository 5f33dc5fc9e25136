import { SITE_NAME } from '#contract/site.ts';
import { runBatch } from '#worker/db/batch.ts';
import { sql } from 'drizzle-orm';
import { confirmPageUrl, NOTICE_TTL_MS } from '#worker/auth/mailed-links/mail-link.ts';
import { changeAndNotify } from '#worker/auth/notices/change-and-notify.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { hasTotp } from '#worker/auth/service/user-json.ts';
import { reauthenticate, RECENT_MS } from '#worker/auth/sessions/reauthenticate.ts';
import type { OwnerContext } from '#worker/auth/sessions/request-context.ts';
import { issueTokens, type TokenResponse } from '#worker/auth/sessions/sessions.ts';
import { withProof } from '#worker/auth/tokens/access-token.ts';
import { composeMail, type Mail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import { checkCode } from './check-code.ts';
import {
  confirmFactor,
  countRecoveryCodes,
  replaceRecoveryCodes,
  storeSecret,
  turnOffStatements,
} from './factor-store.ts';
import { hashRecoveryCode, randomRecoveryCodes } from './recovery-codes.ts';
import { openNewSecret, sealNewSecret, sealSecret } from './stored-secret.ts';
import { otpauthUri, randomSecret, toBase32 } from './totp.ts';

export type NewSecret = { secret: string; uri: string };

/** Begins to set up an app, which is on once it has proven a code. */
export async function beginFactor(
  owner: OwnerContext,
  currentPassword: string,
): Promise<Result<NewSecret>> {
  const { db, settings, account, session, now } = owner;
  if (hasTotp(account)) return refuse('factor_exists');
  const proof = await reauthenticate(owner, account, session, currentPassword);
  if (!proof.ok) return proof;
  const secret = randomSecret();
  const stored = await sealNewSecret(settings.secret, session, secret, now);
  if (!(await storeSecret(db, account.id, stored))) return refuse('factor_exists');
  return {
    ok: true,
    value: { secret: toBase32(secret), uri: otpauthUri(secret, SITE_NAME, account.email) },
  };
}

/**
 * Turns the app on once it has proven a code. If somebody else has done it, the link in the mail
 * gives the account back to its owner. Recovery codes need another request, because the client
 * stores everything that this one returns.
 */
export async function finishFactor(
  owner: OwnerContext,
  code: string,
): Promise<Result<TokenResponse>> {
  const { db, now, settings, account, session } = owner;
  if (account.totp_secret === null) return refuse('factor_unknown');
  const secret = await openNewSecret(settings.secret, session, account.totp_secret, now);
  if (secret === null) return refuse('factor_setup_ended');
  const checked = await checkCode(owner, account, code, secret);
  if (!checked.ok) return checked;
  const sealed = await sealSecret(settings.secret, account.id, secret);
  const token = randomToken();
  const link = confirmPageUrl(settings.appOrigin, 'recovery', token);
  const shown = withProof(session, checked.value, now);
  const mail = composeMail(account.email, MAILS.factorOn(NOTICE_TTL_MS), link);
  return changeFactor(owner, mail, async () => {
    const on = await confirmFactor(db, {
      account,
      secret: sealed,
      session: shown,
      noticeHash: hashToken(token),
      now,
    });
    if (on === undefined) return refuse('factor_exists');
    return { ok: true, value: await issueTokens(owner, on, shown) };
  });
}

/** Creates recovery codes, which are shown once, and ends the former ones. */
export async function renewRecoveryCodes(
  owner: OwnerContext,
  currentPassword: string,
): Promise<Result<{ recovery_codes: string[] }>> {
  const { db, settings, account, session, now } = owner;
  if (!hasTotp(account)) return refuse('factor_unknown');
  const proof = await reauthenticate(owner, account, session, currentPassword);
  if (!proof.ok) return proof;
  const codes = randomRecoveryCodes();
  const mail = composeMail(account.email, MAILS.recoveryCodes, `${settings.appOrigin}/settings`);
  // The first codes need no mail, because the owner has just got one about the app.
  const isFirst = (await countRecoveryCodes(db, account.id)) === 0;
  const isNew = now - (account.totp_confirmed_at ?? 0) < RECENT_MS;
  const replace = async (): Promise<Result<{ recovery_codes: string[] }>> =>
    (await replaceRecoveryCodes(db, account.id, codes.map(hashOf)))
      ? { ok: true, value: { recovery_codes: codes } }
      : refuse('factor_unknown');
  return isFirst && isNew ? replace() : changeFactor(owner, mail, replace);
}

/** Turns the app off. Needs the password or its substitute, and a code of the last ten minutes. */
export async function removeFactor(
  owner: OwnerContext,
  currentPassword: string,
): Promise<Result<null>> {
  const { db, settings, account, session } = owner;
  if (!hasTotp(account)) return refuse('factor_unknown');
  const proof = await reauthenticate(owner, account, session, currentPassword);
  if (!proof.ok) return proof;
  const mail = composeMail(account.email, MAILS.factorOff, `${settings.appOrigin}/settings`);
  return changeFactor(owner, mail, async () => {
    await runBatch(db, turnOffStatements(sql`(select ${account.id})`));
    return { ok: true, value: null };
  });
}

/** Makes a change that the owner is told about. */
async function changeFactor<T>(
  { account, request }: OwnerContext,
  mail: Mail,
  change: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const told = await changeAndNotify(request, {
    email: account.email,
    kind: 'factor',
    change,
    mailOf: ({ ok }) => (ok ? mail : null),
  });
  return told.ok ? told.value : told;
}

const hashOf = (code: string): string => hashRecoveryCode(code) ?? '';
