import { countAttempt, refundAttempt } from '#worker/auth/limits/attempts.ts';
import { FACTOR_LIMITS } from '#worker/auth/limits/limits.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { logRefusedSignIn } from '#worker/auth/service/sign-in-log.ts';
import type { Account } from '#worker/auth/service/store.ts';
import { hasTotp } from '#worker/auth/service/user-json.ts';
import type { FactorMethod } from '#worker/auth/tokens/access-token.ts';
import { decrypt } from '#worker/secrets/encrypt.ts';
import { takeRecoveryCode, takeTimeStep } from './factor-store.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { matchStep } from './totp.ts';

/**
 * Checks a code of the app, or a recovery code, and uses it up. Every place that asks for one uses
 * this function, so none offers a way around the limits of another. The attempt is counted before
 * the comparison and taken back if the code is right.
 */
export async function checkCode(
  context: AuthContext,
  account: Account,
  typed: string,
): Promise<Result<FactorMethod>> {
  const counted = await countAttempt(context, FACTOR_LIMITS, account.email);
  if (!counted.ok) return counted;
  const result = await takeCode(context, account, typed);
  if (result.ok) await refundAttempt(context, FACTOR_LIMITS, account.email);
  else logRefusedSignIn(context, 'second_factor', account.email, result);
  return result;
}

async function takeCode(
  { db, settings, now }: AuthContext,
  account: Account,
  typed: string,
): Promise<Result<FactorMethod>> {
  // Recovery codes belong to an app that is on.
  const hash = hasTotp(account) ? hashRecoveryCode(typed) : null;
  if (hash !== null)
    return (await takeRecoveryCode(db, account.id, hash))
      ? { ok: true, value: 'recovery_code' }
      : refuse('factor_code_wrong');
  const secret = await readSecret(settings.secret, account);
  if (secret === null) return refuse('factor_unreadable');
  const step = matchStep(secret, typed.replaceAll(/\s/g, ''), now);
  return step !== null && (await takeTimeStep(db, account, step))
    ? { ok: true, value: 'totp' }
    : refuse('factor_code_wrong');
}

/** Null if AUTH_SECRET has changed since the secret was stored. */
async function readSecret(secret: string, { id, totp_secret }: Account): Promise<Buffer | null> {
  const text = await decrypt({ secret, purpose: 'totp', owner: id }, totp_secret ?? '');
  return text === null ? null : Buffer.from(text, 'base64');
}
