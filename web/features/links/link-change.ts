import type { SettingKind, SettingName, ShownSettings } from '#contract/link-settings.ts';
import type { LinkChange, ListedLink } from '#contract/links.ts';
import { SETTING_FIELDS, SETTING_NAMES } from '#web/shared/link-settings.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * Converts RFC 3339 to the value of an `<input type="datetime-local">` in the reader's time zone;
 * null becomes ''.
 */
export function toDateTimeLocal(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** The values of a link's form. Times are in the reader's time zone; '' means no value. */
export type LinkForm = { longUrl: string; tags: readonly string[] } & {
  [Name in SettingName]: SettingKind<Name> extends 'time' ? string : ShownSettings[Name];
};

export const toForm = (link: ListedLink): LinkForm => ({
  longUrl: link.long_url,
  tags: link.tags.map(({ name }) => name),
  ...toFields(link),
});

function toFields(link: ListedLink): Omit<LinkForm, 'longUrl' | 'tags'>;
function toFields(link: ListedLink): Record<string, unknown> {
  return Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const { kind, column } = SETTING_FIELDS[name];
      const value = link[column];
      return [
        name,
        kind === 'time' ? toDateTimeLocal(value === null ? null : String(value)) : value,
      ];
    }),
  );
}

/** Returns the changes that the form makes to `link`, or null if there are none. */
export function buildLinkChange(link: ListedLink, form: LinkForm): LinkChange | null {
  const before = toForm(link);
  const change: LinkChange = {
    ...(form.longUrl === before.longUrl ? {} : { longUrl: form.longUrl }),
    ...(form.tags.join() === before.tags.join() ? {} : { tags: [...form.tags] }),
    ...changedFields(before, form),
  };
  return Object.keys(change).length === 0 ? null : change;
}

function changedFields(before: LinkForm, form: LinkForm): Pick<LinkChange, SettingName>;
function changedFields(before: LinkForm, form: LinkForm): Record<string, unknown> {
  const changed = SETTING_NAMES.filter((name) => String(form[name]) !== String(before[name]));
  return Object.fromEntries(
    changed.map((name) => {
      const value = form[name];
      if (SETTING_FIELDS[name].kind !== 'time') return [name, value];
      return [name, value === '' ? null : new Date(String(value)).getTime()];
    }),
  );
}
