import { AD_FRAMES_PATH, AD_SANDBOX } from '#contract/paths.ts';
import { isEmbedded } from '#worker/auth/service/settings.ts';
import { networkAdPlaces } from './ad-network.ts';

type Sources = Record<
  'script-src' | 'style-src' | 'img-src' | 'connect-src' | 'frame-src',
  string[]
>;

const TURNSTILE = 'https://challenges.cloudflare.com';

/**
 * The content security policy of the application's pages (SECURITY.md T35). Scripts come from our
 * own files or have the nonce of this response, and other origins are allowed only if a setting
 * names them. It is the same for every page, because a document keeps its policy while the router
 * shows other pages in it. The ad network is never included: a page of `origin` may only frame the
 * documents below `/ads/frame/`, whose own policy allows it.
 */
export function pagePolicy(env: Env, origin: string, nonce: string): string {
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
  if (networkAdPlaces(env).length > 0) sources['frame-src'].push(origin + AD_FRAMES_PATH);
  const rules = Object.entries(sources).map(
    ([name, list]) => `${name} ${list.length === 0 ? "'none'" : list.join(' ')}`,
  );
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

/** The origins of Google AdSense, the network of ADS_CLIENT ('ca-pub-…'). */
const NETWORK_SCRIPTS = 'https://pagead2.googlesyndication.com https://*.adtrafficquality.google';
const NETWORK_FRAMES =
  'https://googleads.g.doubleclick.net https://tpc.googlesyndication.com https://www.google.com';

/**
 * The policy of the document that runs the ad network's script. `sandbox` without
 * `allow-same-origin` gives it an opaque origin, in a frame and when it is opened directly, so it
 * cannot read storage, cookies or the page around it, or call our API. Inline styles are allowed
 * because the network writes them, and this document has no content that they could disguise.
 */
export function adFramePolicy(nonce: string): string {
  return [
    `sandbox ${AD_SANDBOX}`,
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${NETWORK_SCRIPTS}`,
    "style-src 'unsafe-inline'",
    `img-src data: ${NETWORK_SCRIPTS} https://*.doubleclick.net`,
    `connect-src ${NETWORK_SCRIPTS} https://*.doubleclick.net`,
    `frame-src ${NETWORK_FRAMES} https://*.adtrafficquality.google`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/** 128 random bits in base64url. Every response needs a new nonce. */
export const newNonce = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
