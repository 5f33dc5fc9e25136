import { config } from '#web/shared/page/config.ts';
import { startSession, storageKey } from '#web/shared/session/session.ts';

type StoredSession = {
  accessToken?: string;
  expiresInSeconds?: number;
  email?: string;
  hasPassword?: boolean;
  /** Minutes since the sign-in at the company's provider. */
  atProvider?: number;
};

/**
 * Writes a session to localStorage in the sign-in client's format. The user's id is `id of
 * <email>`.
 */
export function storeSession({
  atProvider,
  accessToken = atProvider === undefined ? 't' : providerToken(atProvider),
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
      app_metadata: {
        has_password: hasPassword,
        ...(atProvider !== undefined && { sso: true }),
      },
      user_metadata: {},
    },
  };
  localStorage.setItem(storageKey(config.auth.url), JSON.stringify(session));
}

/** The longest delay of a timer in ms, 24 days. */
const NEVER = 2 ** 31 - 1;

/**
 * Starts the app's session as a member. The sign-in client only loads when needed: its timer would
 * end in the middle of a later test of a busy machine.
 */
export function signInAsMember(session: StoredSession = {}): void {
  storeSession(session);
  startSession(NEVER);
}

/** A token as pages read it. Nothing in a page verifies its signature. */
function providerToken(minutes: number): string {
  const timestamp = Math.floor(Date.now() / 1000) - minutes * 60;
  return `h.${btoa(JSON.stringify({ amr: [{ method: 'oauth', timestamp }] }))}.s`;
}
