import { authErrorCode, signUpSecretFor } from '#web/shared/sign-in/auth-api.ts';
import { callAuth } from '#web/shared/sign-in/call-auth.ts';
import { config } from '#web/shared/page/config.ts';
import type { MailLink } from '#web/shared/sign-in/mail-link.ts';

const TYPES = ['signup', 'recovery', 'secure', 'session', 'factor_stop', 'factor_off'] as const;

/**
 * The service's description of a mailed link. `secure` is the link in the notice of a changed
 * password, `session` that in the notice of a sign-in; those of `factor_` stop or finish the reset
 * of a second factor. `email` is '' with a hosted service, which describes nothing before the link
 * is used.
 */
export type MailLinkDetails = {
  type: (typeof TYPES)[number];
  email: string;
  /**
   * False if using the link deletes the account's password, so that the user has to choose a new
   * one.
   */
  keepsPassword: boolean;
};

/**
 * `invalid` means used, replaced, expired or unknown. `unavailable` means that the service gave no
 * usable response and a retry may help.
 */
export type DescribeLinkResult =
  | { ok: true; details: MailLinkDetails }
  | { ok: false; reason: 'invalid' | 'unavailable' };

/**
 * Asks the service what a link does. This neither changes anything nor uses the link, so every
 * visit may ask.
 */
export async function fetchLinkDescription(
  { type, tokenHash }: Pick<MailLink, 'type' | 'tokenHash'>,
  signal: AbortSignal,
): Promise<DescribeLinkResult> {
  if (config.auth.mode === 'hosted')
    return { ok: true, details: { type, email: '', keepsPassword: true } };
  try {
    const response = await fetch(`${config.auth.url}/auth/v1/verify/describe`, {
      method: 'POST',
      headers: { apikey: config.auth.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ type, token_hash: tokenHash, ...signUpSecretFor(type) }),
      signal,
    });
    if (response.ok) return parseDetails(await response.json());
    return {
      ok: false,
      reason: response.status === 429 || response.status >= 500 ? 'unavailable' : 'invalid',
    };
  } catch {
    return { ok: false, reason: 'unavailable' };
  }
}

function parseDetails(body: unknown): DescribeLinkResult {
  if (
    typeof body !== 'object' ||
    body === null ||
    !('type' in body) ||
    !('email' in body) ||
    !('keeps_password' in body)
  )
    return { ok: false, reason: 'unavailable' };
  const { type, email, keeps_password } = body;
  const known = TYPES.find((one) => one === type);
  if (known === undefined || typeof email !== 'string') return { ok: false, reason: 'unavailable' };
  return { ok: true, details: { type: known, email, keepsPassword: keeps_password === true } };
}

/** Ends the session that a notice is about. False if it has ended already. */
export async function endReportedSession(tokenHash: string): Promise<boolean> {
  try {
    await callAuth('POST', '/verify/end-session', { token_hash: tokenHash }, '');
    return true;
  } catch (error) {
    if (authErrorCode(error) === 'otp_expired') return false;
    throw error;
  }
}
