/**
 * The security headers of every response with a body: pages, API and errors. A redirect has no
 * document to protect, so it has none of them but HSTS (docs/decisions.md#d32). They live here
 * because the redirect's own error pages need them and the redirect imports nothing outside its
 * folder.
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), browsing-topics=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
} as const;

/**
 * The Strict-Transport-Security value: one year, in seconds. It leaves out includeSubDomains,
 * because the operator may serve other names under the same domain over http.
 */
export const HSTS = 'max-age=31536000';
