import { codeOfKey } from '#contract/codes/code-of-key.ts';
import { readableUrl } from '#web/shared/texts/format.ts';

/** Returns how lists name a link: by its code, and on a domain by host and code. */
export const shownCode = ({
  short_code: key,
  short_url: shortUrl,
}: {
  short_code: string;
  short_url: string;
}): string => (codeOfKey(key) === key ? key : readableUrl(shortUrl));
