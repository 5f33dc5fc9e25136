import type { AppLinkFile } from '#contract/pages/app-links.ts';
import { linkKey, type DomainId } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import type { Origins } from './origins.ts';

/**
 * Keys of the edge cache are URLs below our own origin that no route answers. A key contains only
 * what the response depends on, so that a forged Host header or an extra query parameter never
 * creates another entry.
 */

/**
 * Part of every key. Raise it when the shape of an entry changes, because the release before
 * may have written entries.
 */
const ENTRY_VERSION = 3;

const keyOf = (origins: Origins, path: string): string =>
  `${origins.app}/.edge-cache/${ENTRY_VERSION}/${path}`;

const tagPart = (tag: string | null): string =>
  tag === null ? '' : `/tag/${encodeURIComponent(tag)}`;

export const previewKey = (origins: Origins, key: LinkKey): string =>
  keyOf(origins, `preview/${key}`);
/** `version` is the link's, which every change of its card raises. */
export const cardKey = (origins: Origins, linkId: number, version: number): string =>
  keyOf(origins, `card/${linkId}/${version}`);
export const qrKey = (origins: Origins, key: LinkKey): string => keyOf(origins, `qr/${key}`);
/**
 * `before` is the id of the last post on the previous page; null for the first page. `tag` is null
 * for the list of all posts.
 */
export const postListKey = (origins: Origins, before: number | null, tag: string | null): string =>
  keyOf(origins, `posts/${before ?? ''}${tagPart(tag)}`);
export const postKey = (origins: Origins, slug: string): string =>
  keyOf(origins, `post/${encodeURIComponent(slug)}`);
export const postPictureKey = (origins: Origins, slug: string): string =>
  keyOf(origins, `post-picture/${encodeURIComponent(slug)}`);
export const postPageKey = (origins: Origins, slug: string): string =>
  keyOf(origins, `post-page/${encodeURIComponent(slug)}`);
export const postsPageKey = (origins: Origins, tag: string | null): string =>
  keyOf(origins, `posts-page${tagPart(tag)}`);
export const feedKey = (origins: Origins): string => keyOf(origins, 'feed');
export const appLinkKey = (origins: Origins, domain: DomainId, file: AppLinkFile): string =>
  keyOf(origins, `app-links/${linkKey(domain, file)}`);
export const statusKey = (origins: Origins): string => keyOf(origins, 'status');
/** `version` changes with every change of the report. Neither key contains the secret. */
export const sharedDaysKey = (origins: Origins, id: string, version: number): string =>
  keyOf(origins, `shared-days/${id}/${version}`);
export const sharedListsKey = (
  origins: Origins,
  id: string,
  version: number,
  state: string,
): string => keyOf(origins, `shared-lists/${id}/${version}/${state}`);
export const sitemapKey = (origins: Origins): string => keyOf(origins, 'sitemap');
