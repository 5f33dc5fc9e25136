import { countAttempt, refundAttempt } from '#worker/auth/limits/attempts.ts';
import { FACTOR_LIMITS, RECOVERY_CODE_LIMITS } from '#worker/auth/limits/limits.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { logRefusedSignIn } from '#worker/auth/service/sign-in-log.ts';
import type { Account } from '#worker/auth/service/store.ts';
import { hasTotp } from '#worker/auth/service/user-json.ts';
import type { FactorMethod } from '#worker/auth/tokens/access-token.ts';
import { takeRecoveryCode, takeTimeStep } from './factor-store.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { openSecret } from './stored-secret.ts';
import { matchStep } from './totp.ts';

/**
 * Checks a code of the app, or a recovery code, and uses it up. Every request with a code comes
 * here, so that all share one limit. The attempt is counted before the comparison and refunded if
 * the code is right. `newSecret` is the secret of an app that is being set up.
 */
export async function checkCode(
  context: AuthContext,
  account: Account,
  typed: string,
  newSecret: Buffer | null = null,
): Promise<Result<FactorMethod>> {
  // Recovery codes belong to an app that is on.
  const recovery = hasTotp(account) ? hashRecoveryCode(typed) : null;
  const limits = recovery === null ? FACTOR_LIMITS : RECOVERY_CODE_LIMITS;
  const counted = await countAttempt(context, limits, account.email);
  if (!counted.ok) return counted;
  const result =
    recovery === null
      ? await takeAppCode(context, account, typed, newSecret)
      : await takeRecovery(context, account, recovery);
  if (result.ok) await refundAttempt(context, limits, account.email);
  else logRefusedSignIn(context, 'second_factor', account.email, result);
  return result;
}

const takeRecovery = async (
  { db }: AuthContext,
  { id }: Account,
  hash: string,
): Promise<Result<FactorMethod>> =>
  (await takeRecoveryCode(db, id, hash))
    ? { ok: true, value: 'recovery_code' }
    : refuse('factor_code_wrong');

async function takeAppCode(
  { db, settings, now }: AuthContext,
  account: Account,
  typed: string,
  newSecret: Buffer | null,
): Promise<Result<FactorMethod>> {
  const secret = newSecret ?? (await openSecret(settings.secret, account));
  if (secret === null) return refuse('factor_unreadable');
  const step = matchStep(secret, typed.replaceAll(/\s/g, ''), now);
  return step !== null && (await takeTimeStep(db, account, step))
    ? { ok: true, value: 'totp' }
    : refuse('factor_code_wrong');
}
