/** The headers that make a browser careful with whatever we send. No package is imported: every door may use this. */

/** A year, in seconds. Without includeSubDomains: other names under the operator's domain are not ours to decide for. */
const HSTS = 'max-age=31536000';

const ALWAYS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), browsing-topics=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
};

/** What data, not pages, may do in a browser that opens it directly: nothing. */
export const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/**
 * Security headers for a response to `requestUrl` with the given content policy (threat 35).
 * HSTS only over https: browsers ignore it elsewhere, and local development has no certificate.
 */
export function securityHeaders(requestUrl: string, policy: string = DATA_POLICY): Record<string, string> {
  return {
    ...ALWAYS,
    'Content-Security-Policy': policy,
    ...(requestUrl.startsWith('https://') ? { 'Strict-Transport-Security': HSTS } : {}),
  };
}
