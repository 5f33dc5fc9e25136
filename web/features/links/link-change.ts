import type { LinkChange, ListedLink } from '#contract/links/links.ts';
import { codeOf } from '#web/shared/texts/format.ts';
import { toSettingChanges } from '#web/shared/link-settings/link-settings.ts';

/** The members of a link that a change can contain. */
export const toForm = (link: ListedLink) => ({
  customCode: codeOf(link.short_url),
  domain: link.domain,
  longUrl: link.long_url,
  enabled: link.status === 'active',
  tags: link.tags.map(({ name }) => name),
  ...toSettingChanges(link),
});

/** A change in a form, in which the stored password, which stays, is true. */
type Wanted = Omit<LinkChange, 'password'> & { password?: string | true | undefined };

/** Returns the members of `wanted` that differ from those of the link, or null if none does. */
export function buildLinkChange(link: ListedLink, wanted: Wanted): LinkChange | null {
  const current = new Map<string, unknown>(Object.entries(toForm(link)));
  const changed = Object.entries(wanted).filter(
    ([name, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(current.get(name)),
  );
  return changed.length === 0 ? null : Object.fromEntries(changed);
}
