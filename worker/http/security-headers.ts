import { SECURITY_HEADERS, HSTS } from '#worker/redirect/security-headers.ts';

/**
 * The content security policy of data responses: a browser that opens one directly runs, loads and
 * frames nothing.
 */
export const DATA_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/**
 * Returns the security headers of a response to `requestUrl` with the given content security policy
 * (SECURITY.md T35). HSTS is sent over https only, because browsers ignore it on http and local
 * development has no certificate.
 */
export function securityHeaders(
  requestUrl: string,
  policy: string = DATA_POLICY,
): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    'Content-Security-Policy': policy,
    ...(requestUrl.startsWith('https://') ? { 'Strict-Transport-Security': HSTS } : {}),
  };
}

/** 128 random bits in base64url. Every response needs a new nonce. */
export const newNonce = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
