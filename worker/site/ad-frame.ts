import { securityHeaders } from '#worker/http/security-headers.ts';
import { adFramePolicy, newNonce } from './content-policy.ts';
import { escapeHtml } from '#worker/html.ts';
import { plainResponse } from './plain.ts';

const NETWORK = 'https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js';

/**
 * GET /ads/frame: the only document that runs the ad network's script. A member's token is in the local storage of our origin,
 * where any script of a page can read it, and the analytics page shows link data; so the script gets a document whose origin is
 * opaque (see `adFramePolicy`), and the pages show it in an `iframe`. It learns our origin, and neither the path of the page nor
 * anything on it. 404 without a configured network.
 */
export function adFrame(request: Request, client: string): Response {
  if (client === '') return plainResponse(request, 404, 'There is nothing at this address.');
  const nonce = newNonce();
  const headers = {
    ...securityHeaders(request.url, adFramePolicy(nonce)),
    // The network checks which site shows its ads: it may know the origin, and no more.
    'Referrer-Policy': 'strict-origin',
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
  };
  return new Response(request.method === 'HEAD' ? null : page(client, nonce), { headers });
}

function page(client: string, nonce: string): string {
  const src = escapeHtml(`${NETWORK}?client=${encodeURIComponent(client)}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Ad</title>
<style>html, body { margin: 0; height: 100%; overflow: hidden; background: transparent }</style>
<script async src="${src}" crossorigin="anonymous"></script>
</head>
<body>
<ins class="adsbygoogle" style="display:block;width:100%;height:100%" data-ad-client="${escapeHtml(client)}"></ins>
<script nonce="${nonce}">(window.adsbygoogle = window.adsbygoogle || []).push({});</script>
</body>
</html>
`;
}
