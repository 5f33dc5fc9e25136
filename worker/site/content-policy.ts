import type { Page } from '#contract/paths.ts';
import { isEmbedded } from '#worker/auth/settings.ts';

type Sources = Record<'script-src' | 'style-src' | 'img-src' | 'connect-src' | 'frame-src', string[]>;

/** Where the specification shows ads. A document keeps the policy it was opened with, whatever the router shows later. */
const AD_PAGES: ReadonlySet<Page> = new Set(['/', '/analytics/:code']);

/** True where the page carries the ad network's slot and a client id is configured (decision 25). */
export const adsOn = (env: Env, page: Page): boolean => env.ADS_CLIENT !== '' && AD_PAGES.has(page);

const TURNSTILE = 'https://challenges.cloudflare.com';

/**
 * The content policy of one page (threat 35): scripts from our own files or with this response's nonce, nothing inline
 * besides; other origins exactly where a setting names them.
 */
export function pagePolicy(env: Env, page: Page, nonce: string): string {
  const sources: Sources = {
    'script-src': ["'self'", `'nonce-${nonce}'`],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:', 'blob:'],
    'connect-src': ["'self'"],
    'frame-src': [],
  };
  if (!isEmbedded(env)) sources['connect-src'].push(new URL(env.SUPABASE_URL).origin);
  if (env.TURNSTILE_SITE_KEY !== '') {
    sources['script-src'].push(TURNSTILE);
    sources['frame-src'].push(TURNSTILE);
  }
  if (adsOn(env, page)) allowAds(sources);
  const rules = Object.entries(sources).map(([name, list]) => `${name} ${list.length === 0 ? "'none'" : list.join(' ')}`);
  return [
    "default-src 'self'",
    ...rules,
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Google AdSense, the network that ADS_CLIENT ('ca-pub-…') belongs to. */
function allowAds(sources: Sources): void {
  const script = ['https://pagead2.googlesyndication.com', 'https://*.adtrafficquality.google'];
  const frame = ['https://googleads.g.doubleclick.net', 'https://tpc.googlesyndication.com', 'https://www.google.com'];
  sources['script-src'].push(...script);
  sources['frame-src'].push(...frame, 'https://*.adtrafficquality.google');
  sources['img-src'].push(...script, 'https://*.doubleclick.net');
  sources['connect-src'].push(...script, 'https://*.doubleclick.net');
}
