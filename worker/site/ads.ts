import { AD_PLACES, AD_SANDBOX, type AdPlace } from '#contract/pages/paths.ts';
import { LANGUAGE } from '#contract/language.ts';
import { newNonce } from '#worker/http/security-headers.ts';
import { SITE_TEXTS } from '#worker/messages/site.ts';
import { escapeHtml } from '#worker/html.ts';
import { plainResponse, respondWith } from './plain-response.ts';

/** The ids with which the ad network's script fills one place. */
type AdUnit = { client: string; slot: string };

/** The client id at Google AdSense, the network of ADS_CLIENT. Null if none is configured. */
export function adClient(env: Env): string | null {
  return /^ca-pub-\d{1,20}$/.test(env.ADS_CLIENT) ? env.ADS_CLIENT : null;
}

/**
 * The ad unit at `place`. Null if no network is configured or it has no unit there; the place then
 * shows our own promotion.
 */
export function adUnit(env: Env, place: AdPlace): AdUnit | null {
  const client = adClient(env);
  const slot = {
    home: env.ADS_SLOT_HOME,
    result: env.ADS_SLOT_RESULT,
    analytics: env.ADS_SLOT_ANALYTICS,
  }[place];
  return client !== null && /^\d{1,20}$/.test(slot) ? { client, slot } : null;
}

export const networkAdPlaces = (env: Env): AdPlace[] =>
  AD_PLACES.filter((place) => adUnit(env, place) !== null);

/** Google's certification authority id, the same in every site's ads.txt. */
const GOOGLE_CERTIFICATION_ID = 'f08c47fec0942fa0';

/** /ads.txt (IAB Tech Lab, Ads.txt 1.1): the one account that may sell this site's ads. */
export const adsTxt = (client: string): string =>
  `google.com, ${client.replace(/^ca-/, '')}, DIRECT, ${GOOGLE_CERTIFICATION_ID}\n`;

const NETWORK = 'https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js';

/**
 * GET /ads/frame/{place}: the only documents that run the ad network's script. A member's token is
 * in the local storage of our origin, where every script of a page can read it, and the analytics
 * page shows link data. The script therefore runs in a document with an opaque origin (see
 * `adFramePolicy`), which the pages show in an `iframe`. It can see our origin, but neither the
 * path nor the content of the page. 404 if the network has no ad unit at that place.
 */
export function serveAdFrame(request: Request, unit: AdUnit | null): Response {
  if (unit === null) return plainResponse(request, 'not_found');
  const nonce = newNonce();
  const headers = {
    // The network checks which site shows its ads, so it gets the origin only.
    'Referrer-Policy': 'strict-origin',
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
  };
  return respondWith(request, page(unit, nonce), headers, adFramePolicy(nonce));
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
function adFramePolicy(nonce: string): string {
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

function page({ client, slot }: AdUnit, nonce: string): string {
  const src = escapeHtml(`${NETWORK}?client=${encodeURIComponent(client)}`);
  return `<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${SITE_TEXTS.ad}</title>
<style>html, body { margin: 0; height: 100%; overflow: hidden; background: transparent }</style>
<script async src="${src}" crossorigin="anonymous"></script>
</head>
<body>
<ins class="adsbygoogle" style="display:block;width:100%;height:100%" data-ad-client="${escapeHtml(client)}" data-ad-slot="${escapeHtml(slot)}"></ins>
<script nonce="${nonce}">(window.adsbygoogle = window.adsbygoogle || []).push({});</script>
</body>
</html>
`;
}
