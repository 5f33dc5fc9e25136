import { IMPORTED_CODE_MAX } from './limits.ts';

/**
 * The name of a link in `links.code`, in KV, in the memory of an isolate, in keys of the edge cache
 * and in paths of the API. It is the link's code on the deployment's own short host, and would be
 * `<host>/<code>` on another host. A host contains a dot and a code does not, so no code is the key
 * of another host's link.
 */
export type LinkKey = string;

/** The deployment's own short host. */
export const DEFAULT_HOST = '';

export const linkKey = (host: string, code: string): LinkKey =>
  host === DEFAULT_HOST ? code : `${host}/${code}`;

/**
 * The form of a key, whether or not the link exists. Codes of imported links can be longer than
 * aliases and have slashes inside. Earlier releases answer such a path with 404, and read
 * nothing.
 */
export const LINK_KEY_PATTERN = new RegExp(
  String.raw`^(?=.{1,${IMPORTED_CODE_MAX}}$)[\w-]+(?:/[\w-]+)*$`,
);
export const isLinkKey = (text: string): boolean => LINK_KEY_PATTERN.test(text);

/** The short URL of a link. `shortOrigin` is the origin of the deployment's own short host. */
export const shortUrlOf = (shortOrigin: string, key: LinkKey): string => `${shortOrigin}/${key}`;

/** The path of the page that shows a link's target. */
export const previewPathOf = (key: LinkKey): string => `/${key}+`;

/**
 * The URL in QR codes of a short link. Its parameter distinguishes scans from clicks, and is never
 * added to the target.
 */
export const scanUrl = (shortUrl: string): string => `${shortUrl}?qr=1`;
