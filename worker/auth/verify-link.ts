import { AuthError, badInput } from './auth-problem.ts';
import { emailOf, textOf, type Body } from './body.ts';
import type { Attempt } from './limits.ts';
import { redeemCode, redeemLink } from './one-time.ts';
import { issueCode } from './pkce.ts';
import { redirectTarget, withFragment, withQuery } from './redirect-target.ts';
import { startSession, type TokenResponse } from './sessions.ts';

/**
 * The click on a mailed link: where the browser goes next (contract §5). The session travels in the fragment, which no
 * server sees; PKCE puts only a code into the query; a refusal says why in the fragment, for PKCE in the query as well.
 * Throws 400 where `token` or `type` is missing or `type` is no type at all.
 */
export async function followLink(attempt: Attempt, token: string, type: string, wantedTarget: string): Promise<string> {
  if (token === '') throw badInput('Verify requires a token or a token hash');
  if (type === '') throw badInput('Verify requires a verification type');
  const target = redirectTarget(attempt.settings, wantedTarget);
  try {
    const proof = await redeemLink(attempt, token, type);
    if (proof.pkce !== null) return withQuery(target, { code: await issueCode(attempt, proof, proof.pkce) });
    const session = await startSession(attempt, proof.account, 'otp');
    return withFragment(target, {
      access_token: session.access_token,
      expires_at: String(session.expires_at),
      expires_in: String(session.expires_in),
      refresh_token: session.refresh_token,
      sb: '',
      token_type: session.token_type,
      type: type === 'magiclink' ? type : proof.kind,
    });
  } catch (error) {
    if (!(error instanceof AuthError) || error.code === 'validation_failed') throw error;
    const refusal = { error: oauthWord(error.status), error_code: error.code, error_description: error.message };
    const spoken = token.startsWith('pkce_') ? withQuery(target, refusal) : target;
    return withFragment(spoken, { ...refusal, sb: '' });
  }
}

/** POST /verify: a link's hash (`token_hash` and `type` alone) or an address with its 6-digit code. */
export async function verifyOtp(attempt: Attempt, body: Body): Promise<TokenResponse> {
  const [type, token, hash, email] = ['type', 'token', 'token_hash', 'email'].map((member) => textOf(body, member));
  if (!type) throw badInput('Verify requires a verification type');
  if (!token === !hash) throw badInput('Verify requires either a token or a token hash');
  if (hash) {
    if (email || textOf(body, 'phone') || textOf(body, 'redirect_to'))
      throw badInput('Only the token_hash and type should be provided');
    return startSession(attempt, (await redeemLink(attempt, hash, type)).account, 'otp');
  }
  if (!email || !token) throw badInput('Only an email address or phone number should be provided on verify');
  const proof = await redeemCode(attempt, emailOf(email), token.trim(), type);
  return startSession(attempt, proof.account, 'otp');
}

function oauthWord(status: number): string {
  if (status === 400) return 'invalid_request';
  if (status === 401) return 'unauthorized_client';
  return status >= 500 ? 'server_error' : 'access_denied';
}
