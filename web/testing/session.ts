import { vi } from 'vitest';
import { config } from '#web/shared/config.ts';
import { startSession, storageKey } from '#web/shared/session.ts';

type StoredSession = {
  accessToken?: string;
  expiresInSeconds?: number;
  email?: string;
  hasPassword?: boolean;
};

/**
 * Writes a session to localStorage in the sign-in client's format. The user's id is `id of
 * <email>`.
 */
export function storeSession({
  accessToken = 't',
  expiresInSeconds = 3600,
  email = 'a@example.com',
  hasPassword = true,
}: StoredSession = {}): void {
  const session = {
    access_token: accessToken,
    refresh_token: 'r',
    token_type: 'bearer',
    expires_in: expiresInSeconds,
    expires_at: Math.floor(Date.now() / 1000) + expiresInSeconds,
    user: {
      id: `id of ${email}`,
      aud: 'authenticated',
      email,
      app_metadata: { has_password: hasPassword },
      user_metadata: {},
    },
  };
  localStorage.setItem(storageKey(config.auth.url), JSON.stringify(session));
}

/**
 * Starts the app's session as a member. The browser never becomes idle, so the sign-in client only
 * loads when needed.
 */
export function signInAsMember(session: StoredSession = {}): void {
  storeSession(session);
  vi.stubGlobal('requestIdleCallback', () => 0);
  startSession();
}
