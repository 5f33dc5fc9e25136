import type { LinkHealth } from '#contract/links/watch.ts';
import { formatDateTime, readableUrl } from '#web/shared/texts/format.ts';

/** Says in the form of a link what the last check of its destination found. */
export function describeHealth({ replacedUrl, checkedAt, detail }: LinkHealth): string {
  const check = `Last check on ${formatDateTime(checkedAt)}: ${detail}`;
  return replacedUrl === null
    ? check
    : `This is the fallback of your destination, ${readableUrl(replacedUrl)}. The link leads back there when it works again, unless you turn its checks off. ${check}`;
}
