import { pageAfterSignIn } from '#contract/paths.ts';
import type { Attempt } from '#worker/auth/limits/attempt.ts';
import { badInput } from '#worker/auth/errors.ts';
import { emailOf, signUpSecretOf, textOf, type Body } from '#worker/auth/body.ts';
import { confirmLink, describe, verifyCode, verifyLink, type LinkDescription } from './one-time.ts';
import type { TokenResponse } from '#worker/auth/sessions/sessions.ts';

/** What a token from one of our mails looks like; `pkce_` is in mails of an older release. */
const TOKEN = /^(?:pkce_)?[A-Za-z0-9_-]{43}$/;

/**
 * Where GET /verify sends a browser, as the mails of an older release and other clients ask: to the page that redeems the link
 * when its button is pressed. Nothing is read or changed: mail scanners open every link, and no session may be in an address.
 */
export function pageOfLink(appOrigin: string, query: Record<string, string>): string {
  const token = query['token'] || query['token_hash'] || '';
  const type = query['type'];
  return confirmLink(
    appOrigin,
    type === 'signup' || type === 'recovery' ? type : null,
    TOKEN.test(token) ? token : null,
    pageAfterSignIn(query['redirect_to'] ?? null, appOrigin),
  );
}

/** POST /verify: a link's token (`token_hash` and `type`) or an address with its 6-digit code. */
export async function verify(attempt: Attempt, body: Body): Promise<TokenResponse> {
  const [type = '', code = '', token = '', email = ''] = ['type', 'token', 'token_hash', 'email'].map((name) =>
    textOf(body, name),
  );
  const signUpSecret = signUpSecretOf(body);
  if (type === '') throw badInput('Verify requires a verification type');
  if ((code === '') === (token === '')) throw badInput('Verify requires either a token or a token hash');
  if (token !== '') {
    if (email !== '' || textOf(body, 'phone') !== '' || textOf(body, 'redirect_to') !== '')
      throw badInput('Only the token_hash and type should be provided');
    return verifyLink(attempt, { type, token, signUpSecret });
  }
  if (email === '') throw badInput('Only an email address or phone number should be provided on verify');
  return verifyCode(attempt, { type, email: emailOf(email), code: code.trim(), signUpSecret });
}

/** POST /verify/describe: what a link would do, for the page that asks first. */
export async function describeRequest(attempt: Attempt, body: Body): Promise<LinkDescription> {
  const [type = '', token = ''] = ['type', 'token_hash'].map((name) => textOf(body, name));
  if (type === '') throw badInput('Verify requires a verification type');
  if (token === '') throw badInput('Verify requires a token hash');
  return describe(attempt, { type, token, signUpSecret: signUpSecretOf(body) });
}
