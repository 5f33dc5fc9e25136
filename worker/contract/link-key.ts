import { CODE_PATTERN } from './limits.ts';

/**
 * Names a link: in `links.code`, in KV, in the memory of an isolate, in keys of the edge cache and
 * in paths of the API. It is the link's code on the deployment's own short host and would be
 * `<host>/<code>` on another one. Codes contain no '/', so no code is the key of another host's
 * link.
 */
export type LinkKey = string;

/** The deployment's own short host. */
export const DEFAULT_HOST = '';

export const linkKey = (host: string, code: string): LinkKey =>
  host === DEFAULT_HOST ? code : `${host}/${code}`;

/** What a key looks like; the link need not exist. */
export const LINK_KEY_PATTERN = CODE_PATTERN;
export const isLinkKey = (text: string): boolean => LINK_KEY_PATTERN.test(text);

/** The short URL of a link. `shortOrigin` is the origin of the deployment's own short host. */
export const shortUrlOf = (shortOrigin: string, key: LinkKey): string => `${shortOrigin}/${key}`;

/** The path of the page that shows where a link leads. */
export const previewPathOf = (key: LinkKey): string => `/${key}+`;
