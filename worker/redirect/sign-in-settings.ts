export type SignInSettings = Pick<
  Env,
  'SUPABASE_URL' | 'SUPABASE_PUBLISHABLE_KEY' | 'SIGN_UP' | 'PASSWORD_SIGN_IN' | 'OIDC_ISSUER'
>;

/** Who may create an account: anybody, people of the provider, or nobody. */
export type SignUpRule = 'open' | 'sso' | 'closed';

/** True unless a hosted sign-in service is configured completely (docs/decisions.md#d28). */
export function isEmbedded(env: Pick<Env, 'SUPABASE_URL' | 'SUPABASE_PUBLISHABLE_KEY'>): boolean {
  return !env.SUPABASE_URL || !env.SUPABASE_PUBLISHABLE_KEY;
}

/** An unknown value closes the sign-up: a typing error must not open it. */
export function readSignUpRule(value: string | undefined): SignUpRule {
  const rule = (value ?? '').trim().toLowerCase();
  if (rule === '' || rule === 'open') return 'open';
  return rule === 'sso' ? 'sso' : 'closed';
}

/** Passwords can only be switched off where a provider signs people in. */
export const allowsPasswords = (env: Pick<Env, 'PASSWORD_SIGN_IN' | 'OIDC_ISSUER'>): boolean =>
  readOidcIssuer(env) === '' || !/^(off|false|0|no)$/i.test((env.PASSWORD_SIGN_IN ?? '').trim());

export const readOidcIssuer = (env: Pick<Env, 'OIDC_ISSUER'>): string =>
  (env.OIDC_ISSUER ?? '').trim();

/**
 * Returns who is offered a sign-up: without passwords, only people of the provider. It lives here
 * because the redirect's own error pages offer one, too.
 */
export function offeredSignUp(env: SignInSettings): SignUpRule {
  // The hosted project decides, and the browser asks it.
  if (!isEmbedded(env)) return 'open';
  const rule = readSignUpRule(env.SIGN_UP);
  if (rule === 'open' && allowsPasswords(env)) return 'open';
  return rule === 'closed' || readOidcIssuer(env) === '' ? 'closed' : 'sso';
}
