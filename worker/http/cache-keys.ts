import type { Origins } from './origins.ts';

/**
 * The keys of the edge cache: addresses of our own that no route answers. They hold what an answer depends on and nothing
 * else of a request, so that no Host and no stray query parameter makes an entry of its own.
 */

/** Part of every key: raise it when the shape of an entry changes, because the release before may have written it. */
const SHAPE = 1;

const keyOf = (origins: Origins, path: string): string => `${origins.app}/.edge-cache/${SHAPE}/${path}`;

export const previewKey = (origins: Origins, code: string): string => keyOf(origins, `preview/${code}`);
export const qrKey = (origins: Origins, code: string): string => keyOf(origins, `qr/${code}`);
/** `before` = id of the post that the page of the list follows; null for the first page. */
export const postListKey = (origins: Origins, before: number | null): string => keyOf(origins, `posts/${before ?? ''}`);
export const postKey = (origins: Origins, slug: string): string => keyOf(origins, `post/${encodeURIComponent(slug)}`);
export const postHeadKey = (origins: Origins, slug: string): string => keyOf(origins, `post-head/${encodeURIComponent(slug)}`);
export const feedKey = (origins: Origins): string => keyOf(origins, 'feed');
export const sitemapKey = (origins: Origins): string => keyOf(origins, 'sitemap');
