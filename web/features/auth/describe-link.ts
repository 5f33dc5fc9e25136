import { signUpSecretFor } from '#web/shared/auth-api.ts';
import { config } from '#web/shared/config.ts';
import type { MailLink } from '#web/shared/mail-link.ts';

/**
 * What a mail's link will do, as the service says. `secure`: the mail told the owner that the password was changed. `email`: ''
 * where a hosted service is asked, which tells nothing before the link is used.
 */
export type MailLinkDetails = {
  type: 'signup' | 'recovery' | 'secure';
  email: string;
  /** False where the account's password ends with the link, so that a new one is chosen next. */
  keepsPassword: boolean;
};

/** `dead`: used, replaced, too old or never ours. `unanswered`: nobody could say; asking again may help. */
export type DescribeLinkResult = { ok: true; facts: MailLinkDetails } | { ok: false; reason: 'dead' } | { ok: false; reason: 'unanswered' };

/** Asks what the link is. Changes nothing and uses nothing up, so it may be asked on every visit. */
export async function describeLink(
  { type, tokenHash }: Pick<MailLink, 'type' | 'tokenHash'>,
  signal: AbortSignal,
): Promise<DescribeLinkResult> {
  if (config.auth.mode === 'hosted') return { ok: true, facts: { type, email: '', keepsPassword: true } };
  try {
    const response = await fetch(`${config.auth.url}/auth/v1/verify/describe`, {
      method: 'POST',
      headers: { apikey: config.auth.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ type, token_hash: tokenHash, ...signUpSecretFor(type) }),
      signal,
    });
    if (response.ok) return factsIn(await response.json());
    return { ok: false, reason: response.status === 429 || response.status >= 500 ? 'unanswered' : 'dead' };
  } catch {
    return { ok: false, reason: 'unanswered' };
  }
}

function factsIn(body: unknown): DescribeLinkResult {
  if (typeof body !== 'object' || body === null || !('type' in body) || !('email' in body) || !('keeps_password' in body))
    return { ok: false, reason: 'unanswered' };
  const { type, email, keeps_password } = body;
  if ((type !== 'signup' && type !== 'recovery' && type !== 'secure') || typeof email !== 'string')
    return { ok: false, reason: 'unanswered' };
  return { ok: true, facts: { type, email, keepsPassword: keeps_password === true } };
}
