import { codeOfKey } from '#contract/codes/code-of-key.ts';
import { readableUrl } from '#web/shared/texts/format.ts';

/** Returns how lists name a link: by its code, and on a domain by host and code. */
export const shownCode = (key: string, shortUrl: string): string =>
  codeOfKey(key) === key ? key : readableUrl(shortUrl);
