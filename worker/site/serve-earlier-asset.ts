import { assetKey, releaseAsset } from '#contract/pages/release-assets.ts';
import { securityHeaders } from '#worker/http/security-headers.ts';

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const KV_CACHE_SECONDS = 3_600;

/**
 * Serves a file below /assets that this version does not have, or returns null. While a deployment
 * is rolled out, each request goes to either version, and the files of a page to other versions
 * than the page
 * (https://developers.cloudflare.com/workers/static-assets/routing/advanced/gradual-rollouts/). A
 * page that was opened before an upgrade asks for files of its release, too.
 */
export async function serveEarlierAsset(
  { url, method }: Request,
  { LINKS }: Pick<Env, 'LINKS'>,
): Promise<Response | null> {
  const asset = releaseAsset(new URL(url).pathname);
  if (asset === null) return null;
  const options = { type: 'stream', cacheTtl: KV_CACHE_SECONDS } as const;
  const file = await LINKS.get(assetKey(asset.name), options);
  if (file === null) return null;
  return new Response(method === 'HEAD' ? null : file, {
    headers: {
      ...securityHeaders(url, POLICY),
      'Content-Type': asset.type,
      'Cross-Origin-Resource-Policy': 'same-origin',
      // The name contains a hash of the content.
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  });
}
