import type { SsoIdentityResponse } from '#contract/sso.ts';
import { askAuth } from './ask-auth.ts';

/** Where the browser keeps the verifier of a connection that it has begun. */
const VERIFIER = 'hop-connect-verifier';

export const loadConnection = (): Promise<SsoIdentityResponse> =>
  askAuth('GET', '/user/identities');

/** Opens the provider's page. The browser comes back to /auth/callback. */
export async function beginConnection(currentPassword: string): Promise<void> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const { url } = await askAuth<{ url: string }>('POST', '/user/identities/authorize', {
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
  await askAuth('POST', '/user/identities', { auth_code: code, code_verifier });
}

export const endConnection = (): Promise<unknown> => askAuth('DELETE', '/user/identities');

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
