import { SETTING_NAMES } from '#contract/link-settings.ts';
import type { V1Link, V1WrittenLink } from '#contract/v1.ts';
import type { KeyIdentity } from '#worker/http/context.ts';
import { showSettings } from '#worker/links/settings/link-settings.ts';
import { toLinkJson } from '#worker/links/read/link-json.ts';
import type { OwnLink } from '#worker/links/read/own-link.ts';
import { mayRead } from './key-rights.ts';

/** A link in an answer to a key that may read links. */
export const toV1Link = (
  link: OwnLink,
  { codePrefix }: KeyIdentity,
  shortOrigin: string,
  now: number,
): V1Link => ({
  ...toLinkJson(link, shortOrigin, now, codePrefix),
  clicks: link.clicks,
  importedClicks: link.importedClicks,
  ...showSettings(link, SETTING_NAMES),
  tags: link.tags.map(({ name }) => name),
});

/**
 * A link in the answer to a request that writes. A key that may not read links gets only the
 * members that identify it.
 */
export function toWrittenLink(
  link: OwnLink,
  key: KeyIdentity,
  shortOrigin: string,
  now: number,
): V1WrittenLink {
  const whole = toV1Link(link, key, shortOrigin, now);
  return mayRead(key) ? whole : { id: whole.id, code: whole.code, shortUrl: whole.shortUrl };
}
