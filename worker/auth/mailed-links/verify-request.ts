import { pageAfterSignIn } from '#contract/paths.ts';
import { parseEmail, readSignUpSecret, readString, type Body } from '#worker/auth/service/body.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { badInput } from '#worker/auth/service/errors.ts';
import type { TokenResponse } from '#worker/auth/sessions/sessions.ts';
import { confirmPageUrl } from './mail-link.ts';
import { describeLink, signInWithCode, signInWithLink, type LinkDescription } from './redeem.ts';

/** A token from one of our emails. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Where GET /verify redirects, the link format of other clients: to the page that redeems the link
 * when its button is pressed. Nothing is read or changed, because mail
 * scanners open every link, and a URL must never contain a session.
 */
export function confirmPageOf(appOrigin: string, query: Record<string, string>): string {
  const token = query['token'] || query['token_hash'] || '';
  const type = query['type'];
  return confirmPageUrl(
    appOrigin,
    type === 'signup' || type === 'recovery' ? type : null,
    TOKEN.test(token) ? token : null,
    pageAfterSignIn(query['redirect_to'] ?? null, appOrigin),
  );
}

/**
 * Handles POST /verify: a link's token (`token_hash` and `type`), or an address with its 6-digit
 * code.
 */
export async function verify(context: AuthContext, body: Body): Promise<TokenResponse> {
  const type = readString(body, 'type');
  const code = readString(body, 'token');
  const token = readString(body, 'token_hash');
  const email = readString(body, 'email');
  const signUpSecret = readSignUpSecret(body);
  if (type === '') throw badInput('Verify requires a verification type');
  if ((code === '') === (token === ''))
    throw badInput('Verify requires either a token or a token hash');
  if (token !== '') {
    if (email !== '' || readString(body, 'phone') !== '' || readString(body, 'redirect_to') !== '')
      throw badInput('Only the token_hash and type should be provided');
    return signInWithLink(context, { type, token, signUpSecret });
  }
  if (email === '')
    throw badInput('Only an email address or phone number should be provided on verify');
  return signInWithCode(context, {
    type,
    email: parseEmail(email),
    code: code.trim(),
    signUpSecret,
  });
}

/**
 * Handles POST /verify/describe: what a link would do, for the page that asks before it redeems it.
 */
export async function describe(context: AuthContext, body: Body): Promise<LinkDescription> {
  const type = readString(body, 'type');
  const token = readString(body, 'token_hash');
  if (type === '') throw badInput('Verify requires a verification type');
  if (token === '') throw badInput('Verify requires a token hash');
  return describeLink(context, { type, token, signUpSecret: readSignUpSecret(body) });
}
