import { IMPORTED_CODE_MAX } from '#contract/limits.ts';

/**
 * The name of a link in `links.code`, in KV, in the memory of an isolate, in keys of the edge cache
 * and in paths of the API: its code on the deployment's own short host, and `<domain id>/<code>` on
 * a domain (domain-key.ts).
 */
export type LinkKey = string;

/**
 * The form of a code on the deployment's own short host, whether or not the link exists. Codes of
 * imported links can be longer than aliases and have slashes inside. Earlier releases answer such a
 * path with 404, and read nothing.
 */
export const CODE_PATH = new RegExp(String.raw`^(?=.{1,${IMPORTED_CODE_MAX}}$)[\w-]+(?:/[\w-]+)*$`);
export const isCodePath = (text: string): boolean => CODE_PATH.test(text);

/** The short URL of a link. `shortOrigin` is the origin of the deployment's own short host. */
export const shortUrlOn = (shortOrigin: string, key: LinkKey): string => `${shortOrigin}/${key}`;

/** The path of a link's preview, the page that shows its target. */
export const previewPathOf = (key: LinkKey): string => `/${key}+`;

/** The URL of the preview, on the host of the short URL, which can be a domain. */
export const previewUrlOf = (shortUrl: string): string => `${shortUrl}+`;

/**
 * The URL in QR codes of a short link. Its parameter distinguishes scans from clicks, and is never
 * added to the target.
 */
export const scanUrl = (shortUrl: string): string => `${shortUrl}?qr=1`;
