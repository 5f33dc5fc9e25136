import { MINUTE_MS } from '#contract/time.ts';
import { readStoredSession } from './session.ts';

/** What this browser's session says about how it began and what was proven lately. */
export type ProviderSession = {
  /** True if the session began at the provider. */
  began: boolean;
  hasPassword: boolean;
  /** What is recent enough to replace the current password: a sign-in there, or a use of a passkey. */
  fresh: 'provider' | 'passkey' | null;
};

/** The server accepts ten minutes. The last one is left for filling in the form. */
const FRESH_MS = 9 * MINUTE_MS;

export function readProviderSession(now = Date.now()): ProviderSession {
  const stored = readStoredSession();
  const facts = stored?.user.app_metadata;
  const entries = stored === null ? [] : readAmr(stored.access_token);
  const isFresh = (wanted: string): boolean =>
    entries.some(({ method, timestamp }) => method === wanted && now - timestamp * 1000 < FRESH_MS);
  return {
    began: facts?.['sso'] === true,
    hasPassword: facts?.['has_password'] !== false,
    fresh: isFresh('webauthn') ? 'passkey' : isFresh('oauth') ? 'provider' : null,
  };
}

/** The sign-ins in a token's `amr`; none if it cannot be read. Times in seconds since 1970. */
function readAmr(token: string): { method: string; timestamp: number }[] {
  try {
    const payload = token.split('.')[1] ?? '';
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(text).amr ?? [];
  } catch {
    return [];
  }
}
