import type { AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { hasTotp } from '#worker/auth/service/user-json.ts';
import { isAccountSuspended } from '#worker/auth/sessions/session-state.ts';
import {
  issueTokens,
  refuseSuspended,
  type FactorCaller,
  type TokenResponse,
} from '#worker/auth/sessions/sessions.ts';
import { withProof } from '#worker/auth/tokens/access-token.ts';
import type { Db } from '#worker/db/client.ts';
import { checkCode } from './check-code.ts';
import { completePending, updateAmr } from './factor-store.ts';

/**
 * Checks a code and returns tokens: a pending sign-in becomes a session, and a session counts as
 * fresh for ten minutes. `db` writes only while either lasts.
 */
export async function verifyFactor(
  context: AuthContext,
  { account, session, pending, db }: FactorCaller & { db: Db },
  code: string,
): Promise<Result<TokenResponse>> {
  const { now } = context;
  if (!hasTotp(account)) return refuse('factor_unknown');
  if (isAccountSuspended(account, now)) return refuseSuspended(db, account.id);
  const method = await checkCode({ ...context, db }, account, code);
  if (!method.ok) return method;
  if (session !== null) {
    const shown = withProof(session, method.value, now);
    await updateAmr(db, shown);
    return { ok: true, value: await issueTokens(context, account, shown) };
  }
  const { expires_at: _, ...begun } = pending;
  const started = withProof(
    { ...begun, counter: 0, refreshed_at: now, not_after: null, notice_hash: null },
    method.value,
    now,
  );
  const owner = await completePending(db, pending, started);
  return owner === undefined
    ? refuse('token_without_session')
    : { ok: true, value: await issueTokens(context, owner, started) };
}
