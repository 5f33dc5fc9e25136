/** The name of the company's provider in the sign-in client's requests. */
export const SSO_PROVIDER = 'custom:sso';

/** Where the provider sends the browser back to, below APP_ORIGIN. */
export const SSO_CALLBACK = '/api/auth/v1/callback';

/**
 * Why a sign-in at the provider failed. The first ones are about the provider and the protocol, the
 * others about the person. worker/messages/sso.ts has a sentence for each.
 */
export const SSO_FAILURES = [
  'setup_incomplete',
  'provider_unreachable',
  'provider_metadata',
  'provider_error',
  'response_invalid',
  'code_rejected',
  'id_token_invalid',
  'userinfo_invalid',
  'other_browser',
  'email_missing',
  'email_unverified',
  'domain_not_allowed',
  'account_exists',
  'already_connected',
  'sign_up_closed',
  'suspended',
] as const;
export type SsoFailure = (typeof SSO_FAILURES)[number];

/**
 * What the provider's routes tell the sign-in page, in `?sso=`: the person canceled, took too long,
 * the sign-in failed for a reason that the system page shows, or a provider without a sign-out page
 * keeps the person signed in.
 */
export const SSO_OUTCOMES = ['canceled', 'expired', 'failed', 'unavailable', 'stays'] as const;
export type SsoOutcome = (typeof SSO_OUTCOMES)[number];

/**
 * What the callback tells its page, in `?mailbox=`: a code by mail has to prove an address first,
 * because the provider sent none, has not verified it, or it has an account here.
 */
export const SSO_MAILBOXES = ['missing', 'unverified', 'exists'] as const;
export type SsoMailbox = (typeof SSO_MAILBOXES)[number];

/** For how long the mailed code works. */
export const SSO_MAILBOX_MINUTES = 10;

/** What pages need to know about the provider. */
export type SsoConfig = { name: string };

/** GET /api/auth/v1/user/identities: the provider, and the address it knows; null if not connected. */
export type SsoIdentityResponse = {
  identity: { email: string; connected_at: string; used_at: string } | null;
  /** False while the provider is the only way in. */
  can_disconnect: boolean;
};

/** The provider on the system page; null if there is none. Times are RFC 3339. */
export type SsoReport = {
  issuer: string;
  callback: string;
  /** The last look at the provider's metadata; null before the first. `fault` is '' if it was fine. */
  look: { at: string; fault: string } | null;
  failures: { at: string; sentence: string; detail: string }[];
};
