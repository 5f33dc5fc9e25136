import { AD_FRAMES_PATH } from '#contract/pages/paths.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';
import { networkAdPlaces } from './ads.ts';

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
    // The style sheet contains the font of headlines.
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
