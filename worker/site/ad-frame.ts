import { LANGUAGE } from '#contract/language.ts';
import { securityHeaders } from '#worker/http/security-headers.ts';
import { escapeHtml } from '#worker/html.ts';
import type { AdUnit } from './ad-network.ts';
import { adFramePolicy, newNonce } from './content-policy.ts';
import { NOT_FOUND_TEXT, plainResponse } from './plain-response.ts';

const NETWORK = 'https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js';

/**
 * GET /ads/frame/{place}: the only documents that run the ad network's script. A member's token is
 * in the local storage of our origin, where every script of a page can read it, and the analytics
 * page shows link data. The script therefore runs in a document with an opaque origin (see
 * `adFramePolicy`), which the pages show in an `iframe`. It can see our origin, but neither the
 * path nor the content of the page. 404 if the network has no ad unit at that place.
 */
export function serveAdFrame(request: Request, unit: AdUnit | null): Response {
  if (unit === null) return plainResponse(request, 404, NOT_FOUND_TEXT);
  const nonce = newNonce();
  const headers = {
    ...securityHeaders(request.url, adFramePolicy(nonce)),
    // The network checks which site shows its ads, so it gets the origin only.
    'Referrer-Policy': 'strict-origin',
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
  };
  return new Response(request.method === 'HEAD' ? null : page(unit, nonce), { headers });
}

function page({ client, slot }: AdUnit, nonce: string): string {
  const src = escapeHtml(`${NETWORK}?client=${encodeURIComponent(client)}`);
  return `<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Ad</title>
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
