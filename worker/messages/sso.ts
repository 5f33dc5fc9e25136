import type { SsoFailure } from '#contract/sign-in/sso.ts';

/** What the system page says about a failed sign-in at the provider, and what to do about it. */
export const SSO_FAILURE_SENTENCES: Readonly<Record<SsoFailure, string>> = {
  setup_incomplete: 'A setting is missing or wrong.',
  provider_unreachable: 'The provider did not answer. Check that OIDC_ISSUER can be reached.',
  provider_metadata:
    'The provider’s metadata do not fit. OIDC_ISSUER must be exactly the issuer that they name.',
  provider_error: 'The provider refused the sign-in, or the person canceled it.',
  response_invalid: 'The provider’s response did not fit the sign-in that had begun.',
  code_rejected:
    'The provider did not accept its own code. Check OIDC_CLIENT_SECRET and the callback address.',
  id_token_invalid: 'The ID token is not valid, so nobody was signed in.',
  userinfo_invalid: 'The provider’s userinfo is not valid.',
  other_browser: 'A sign-in that began in one browser was finished in another.',
  email_missing:
    'The provider sent no email address. Add the scope or claim `email` for this client.',
  email_unverified:
    'The provider has not verified the email address. It must send email_verified: true.',
  domain_not_allowed: 'The address is not in OIDC_ALLOWED_DOMAINS.',
  account_exists:
    'The address has an account here that is not connected. Its owner can connect it in Settings. With OIDC_LINK_BY_EMAIL=verified it joins automatically. If it has an authenticator app, `npm run admin -- factor-off` turns that off.',
  already_connected: 'The person or the account is already connected with another one.',
  sign_up_closed: 'There is no account for this person, and SIGN_UP is closed.',
  suspended: 'The account is suspended.',
};

const ASK = 'Ask an administrator of this site.';

/**
 * Says to the person why they cannot sign in. `name` is the name of the provider; `passwords` is
 * false where there are none.
 */
export function describeSsoRefusal(
  failure: SsoFailure,
  { name, passwords }: { name: string; passwords: boolean },
): string {
  switch (failure) {
    case 'email_missing':
      return `${name} sent no email address. ${ASK}`;
    case 'email_unverified':
      return `${name} has not verified your email address. Verify it there, or ask an administrator of this site.`;
    case 'domain_not_allowed':
      return `Your address at ${name} may not sign in here. ${ASK}`;
    case 'account_exists':
      return passwords
        ? `Your address already has an account here. Sign in to it with your password or a link from your email, then connect ${name} in Settings.`
        : `Your address already has an account here. Sign in to it with a passkey, then connect ${name} in Settings. Without a passkey, ask an administrator of this site.`;
    case 'already_connected':
      return `This account, or yours at ${name}, is already connected with another one. Disconnect it first.`;
    case 'sign_up_closed':
      return `You have no account here, and sign-up is closed. ${ASK}`;
    default:
      return `Signing in with ${name} failed. Try again. If it happens again, ask an administrator of this site, whose system page shows why.`;
  }
}
