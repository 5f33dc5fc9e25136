import { codeOfKey } from '#contract/code-of-key.ts';
import { readableUrl } from './format.ts';

/** Returns how lists name a link: by its code, and on a domain by host and code. */
export const shownCode = ({
  short_code: key,
  short_url: shortUrl,
}: {
  short_code: string;
  short_url: string;
}): string => (codeOfKey(key) === key ? key : readableUrl(shortUrl));
