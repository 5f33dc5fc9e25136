import { createHash, timingSafeEqual } from 'node:crypto';
import { AuthError, badInput } from './auth-problem.ts';
import type { Pkce } from './body.ts';
import type { Attempt } from './limits.ts';
import type { Proof } from './one-time.ts';
import { tokenHash } from './secrets.ts';
import { startSession, type TokenResponse } from './sessions.ts';
import { findAuthCode, findById, insertAuthCode, takeAuthCode } from './store.ts';

/** Counted from the click on the mailed link, not from the request for the mail (contract §8.7). */
const CODE_TTL_MS = 5 * 60_000;

/** The code that a PKCE link puts into the address bar; worth nothing without the verifier. */
export async function issueCode(attempt: Attempt, { account, kind }: Proof, pkce: Pkce): Promise<string> {
  const code = crypto.randomUUID();
  await insertAuthCode(attempt.db, {
    code_hash: tokenHash(code),
    user_id: account.id,
    kind,
    code_challenge: pkce.challenge,
    code_challenge_method: pkce.method,
    expires_at: attempt.now + CODE_TTL_MS,
  });
  return code;
}

/** Exchanges the code for a session, once. A wrong verifier leaves it: the browser that asked can still use it. */
export async function exchangeCode(attempt: Attempt, code: string, verifier: string): Promise<TokenResponse> {
  if (code === '' || verifier === '') throw badInput('invalid request: both auth code and code verifier should be non-empty');
  const { db, now } = attempt;
  const hash = tokenHash(code);
  const row = await findAuthCode(db, hash);
  if (row === undefined) throw notFound();
  if (row.expires_at <= now) throw new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired');
  if (!fits(verifier, row.code_challenge, row.code_challenge_method))
    throw new AuthError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier');
  if ((await takeAuthCode(db, hash)) === undefined) throw notFound();
  const account = await findById(db, row.user_id);
  if (account === undefined) throw notFound();
  return startSession(attempt, account, row.kind === 'signup' ? 'email/signup' : 'recovery');
}

function fits(verifier: string, challenge: string, method: string): boolean {
  const made = method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  const [a, b] = [made, challenge].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

const notFound = (): AuthError => new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
