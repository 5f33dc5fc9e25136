import type { SsoIdentityResponse } from '#contract/sign-in/sso.ts';
import { callAuth } from './call-auth.ts';
import { config } from '#web/shared/page/config.ts';
import { storageKey } from '#web/shared/session/session.ts';

/** Where the browser keeps the verifier of a connection that it has begun. */
const VERIFIER = 'hop-connect-verifier';

export const loadConnection = (): Promise<SsoIdentityResponse> =>
  callAuth('GET', '/user/identities');

/** Opens the provider's page. The browser comes back to /auth/callback. */
export async function beginConnection(currentPassword: string): Promise<void> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const { url } = await callAuth<{ url: string }>('POST', '/user/identities/authorize', {
    code_challenge: base64Url(new Uint8Array(digest)),
    current_password: currentPassword,
  });
  sessionStorage.setItem(VERIFIER, verifier);
  window.location.assign(url);
}

/** Connects the account that began in this tab. */
export async function finishConnection(code: string): Promise<void> {
  const code_verifier = sessionStorage.getItem(VERIFIER) ?? '';
  sessionStorage.removeItem(VERIFIER);
  await callAuth('POST', '/user/identities', { auth_code: code, code_verifier });
}

/**
 * Asks for a mailed code that proves an address. `code` is that of the callback; the client's
 * verifier shows that this browser began.
 */
export const sendMailboxCode = async (code: string, email: string): Promise<unknown> =>
  callAuth('POST', '/callback/mailbox', { ...flowProof(code), email });

/** Proves the address with the mailed code. */
export const enterMailboxCode = async (code: string, token: string): Promise<unknown> =>
  callAuth('POST', '/callback/mailbox/verify', { ...flowProof(code), token });

export const OTHER_BROWSER = 'This sign-in began in another browser. Start again.';

/** The sign-in client keeps its verifier until it exchanges the code. */
function flowProof(code: string): { auth_code: string; code_verifier: string } {
  const stored = localStorage.getItem(`${storageKey(config.auth.url)}-code-verifier`);
  if (stored === null) throw new Error(OTHER_BROWSER);
  return { auth_code: code, code_verifier: String(JSON.parse(stored)) };
}

export const endConnection = (): Promise<unknown> => callAuth('DELETE', '/user/identities');

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
