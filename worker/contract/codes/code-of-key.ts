import type { LinkKey } from './link-key.ts';

/** The code of a link, without its domain. Apart from domain-key.ts, because pages load it early. */
export const codeOfKey = (key: LinkKey): string =>
  key.charAt(1) === '.' ? key.slice(key.indexOf('/') + 1) : key;
