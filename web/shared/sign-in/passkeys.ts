import { authErrorCode, authErrorMessage } from './auth-api.ts';
import { config } from '#web/shared/page/config.ts';
import { authClient } from '#web/shared/session/session.ts';

/** False with a hosted sign-in service, which keeps passkeys itself. */
export const keepsPasskeys = (): boolean => config.auth.mode === 'embedded';

/** True if this browser can create and use passkeys here. A page at an IP address can have none. */
export const supportsPasskeys = (): boolean =>
  keepsPasskeys() &&
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$/.test(window.location.hostname);

/**
 * Signs in with a passkey that the person chooses from the browser's dialog, or with `signal` from
 * the suggestions of a field until the signal aborts.
 */
export async function signInWithPasskey(signal?: AbortSignal): Promise<void> {
  const { auth } = await authClient();
  const { error } = await auth.signInWithPasskey(
    signal === undefined ? {} : { options: { mediation: 'conditional', signal } },
  );
  if (error !== null) throw error;
}

/** Says what went wrong with a passkey. The browser's own errors have names and no clear text. */
export function passkeyError(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError') return 'No passkey was used. Try again, or choose another way.';
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (error instanceof DOMException || name === 'SecurityError')
    return 'This browser couldn’t use a passkey. Try again, or choose another way.';
  return authErrorMessage(error);
}

/**
 * True if a passkey was used and the service refused it. Suggestions also end with other errors.
 * The page hides those, because the person did not ask for a passkey.
 */
export const isPasskeyRefused = (error: unknown): boolean =>
  /^(webauthn_|user_banned)/.test(authErrorCode(error));
