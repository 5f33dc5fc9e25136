import { MINUTE_MS } from '#contract/time.ts';
import { config } from './config.ts';
import { parseStoredSession, storageKey } from './session.ts';

/** How this browser's session stands to the company's provider. */
export type ProviderSession = {
  /** True if the session began at the provider. */
  began: boolean;
  hasPassword: boolean;
  /** True if the sign-in there is recent enough to replace the current password. */
  isFresh: boolean;
};

/** The server accepts ten minutes. The last one is left for filling in the form. */
const FRESH_MS = 9 * MINUTE_MS;

export function readProviderSession(now = Date.now()): ProviderSession {
  const stored = parseStoredSession(localStorage.getItem(storageKey(config.auth.url)));
  const facts = stored?.user.app_metadata;
  const signedInAt = stored === null ? 0 : lastProviderSignIn(stored.access_token);
  return {
    began: facts?.['sso'] === true,
    hasPassword: facts?.['has_password'] !== false,
    isFresh: now - signedInAt < FRESH_MS,
  };
}

/** The newest sign-in at the provider in a token's `amr`, in ms; 0 if there is none. */
function lastProviderSignIn(token: string): number {
  try {
    const payload = token.split('.')[1] ?? '';
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const { amr }: { amr?: { method: string; timestamp: number }[] } = JSON.parse(text);
    const times = (amr ?? []).filter(({ method }) => method === 'oauth');
    return Math.max(0, ...times.map(({ timestamp }) => timestamp * 1000));
  } catch {
    return 0;
  }
}
