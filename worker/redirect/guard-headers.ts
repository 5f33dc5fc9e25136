/**
 * What every response of ours says to a browser, whichever door it left by (threat 35). It stands with the hot path,
 * because that may not know slower code; the other doors take it from here.
 */
export const GUARD_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), browsing-topics=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
} as const;

/** A year, in seconds. Without includeSubDomains: other names under the operator's domain are not ours to decide for. */
export const HSTS = 'max-age=31536000';
