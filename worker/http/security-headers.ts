import { SECURITY_HEADERS, HSTS } from '#worker/redirect/security-headers.ts';

/** The headers that make a browser careful with whatever we send. No package is imported: every door may use this. */

/** What data, not pages, may do in a browser that opens it directly: nothing. */
export const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/**
 * Security headers for a response to `requestUrl` with the given content policy (threat 35).
 * HSTS only over https: browsers ignore it elsewhere, and local development has no certificate.
 */
export function securityHeaders(requestUrl: string, policy: string = DATA_POLICY): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    'Content-Security-Policy': policy,
    ...(requestUrl.startsWith('https://') ? { 'Strict-Transport-Security': HSTS } : {}),
  };
}
