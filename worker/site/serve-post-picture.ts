import { PICTURE_FILE } from '#contract/blog/post-text.ts';
import { isSlug } from '#contract/blog/post-text.ts';
import { DAY_MS } from '#contract/time.ts';
import { readPublishedPost } from '#worker/blog/published-posts.ts';
import { openDb } from '#worker/db/client.ts';
import { postPictureKey } from '#worker/http/cache-keys.ts';
import { CACHE_SECONDS, readPublic, type Reader } from '#worker/http/edge-cache.ts';
import type { Origins } from '#worker/http/origins.ts';
import { securityHeaders } from '#worker/http/security-headers.ts';
import { drawPostPicture } from './draw-post-picture.ts';
import { plainResponse, respondWith } from './plain-response.ts';

/**
 * Stands for a picture that cannot be drawn in the edge cache. The general picture is served
 * instead.
 */
const NOT_DRAWN = '';

/**
 * Serves the picture that shared links to a published post show. If the picture file lacks letters
 * of the title, it redirects to the general picture of the site.
 */
export async function servePostPicture(
  reader: Reader,
  origins: Origins,
  slug: string,
): Promise<Response> {
  const { request, env } = reader;
  const read = await readPublic<string>(
    reader,
    postPictureKey(origins, slug),
    CACHE_SECONDS,
    async () => {
      const post = isSlug(slug) ? await readPublishedPost(openDb(env.DB), slug) : undefined;
      return post === undefined ? null : drawAsBase64(env, request.url, post.title, slug);
    },
  );
  if (!read.ok) return plainResponse(request, 'limited');
  if (read.value === null) return plainResponse(request, 'not_found');
  const cached = { 'Cache-Control': `public, max-age=${DAY_MS / 1000}` };
  if (read.value === NOT_DRAWN)
    return new Response(null, {
      status: 302,
      headers: {
        ...securityHeaders(request.url),
        ...cached,
        Location: `${origins.app}/social.png`,
      },
    });
  const png = Uint8Array.from(atob(read.value), (character) => character.charCodeAt(0));
  return respondWith(request, png, { ...cached, 'Content-Type': 'image/png' });
}

/** Base64, because the edge cache keeps JSON. */
async function drawAsBase64(env: Env, url: string, title: string, slug: string): Promise<string> {
  const file = await env.ASSETS.fetch(new URL(PICTURE_FILE, url).href);
  const png = file.ok ? await drawPostPicture(await file.blob(), title, slug) : null;
  return png === null
    ? NOT_DRAWN
    : btoa(Array.from(png, (byte) => String.fromCharCode(byte)).join(''));
}
