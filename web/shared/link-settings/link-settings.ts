import type {
  NamesGivenBy,
  ShownColumn,
  SettingKind,
  SettingName,
  ShownByColumn,
} from '#contract/links/link-settings.ts';
import type { LinkChange } from '#contract/links/links.ts';
import { CLICK_LIMIT_MAX, LINK_NOTE_MAX, LINK_TITLE_MAX } from '#contract/limits.ts';

/** The settings as a change of a link contains them. A stored password, which stays, is true. */
export type SettingChanges = Omit<Pick<LinkChange, SettingName>, 'password'> & {
  password?: string | true | undefined;
};
/** What an error is about: a setting, or a part of its rules or variants, such as `rules.1.to`. */
export type SettingPath = SettingName | `${'rules' | 'variants'}.${number}${string}`;
export type SettingErrorAt = ((path: SettingPath) => string | undefined) | undefined;
export type SettingValue = SettingChanges[SettingName];

/** The groups below “More options”, in their order. */
export const OPTION_GROUPS = ['destinations', 'times', 'access', 'redirect', 'checks'] as const;
export type OptionGroupName = (typeof OPTION_GROUPS)[number];
/** Where forms have a field: above or below the tags, or in a group below “More options”. */
export type Place = 'above tags' | 'below tags' | OptionGroupName;

type Entry<Name extends SettingName> = {
  kind: SettingKind<Name>;
  /** The setting's name in responses of /api. */
  column: ShownColumn<Name>;
  label: string;
  hint?: string;
  /** The maximum length of a text in characters, or the largest number. */
  max?: number;
  /** The label of what removes or changes it for many links; absent if that is not possible. */
  bulk?: string;
  /** Null if no form has a field for it. A page can set only some settings of a new link. */
  place: (Name extends NamesGivenBy<'page'> ? Place : Exclude<Place, OptionGroupName>) | null;
  /** The names of its columns in imported files, as `normalizeName` writes them, clearest first. */
  imported: string;
};

/** The texts of each link setting on pages. */
export const SETTING_FIELDS: { readonly [Name in SettingName]: Entry<Name> } = {
  expiresAt: {
    kind: 'time',
    column: 'expires_at',
    label: 'End date',
    hint: 'After this time the link stops redirecting and shows that it has expired.',
    place: 'above tags',
    imported:
      'expiresat expires expireson expiry expirydate expiration expirationdate expirationat expiredate expireat expirein expirytime expirationtime enddate endsat validuntil',
  },
  startsAt: {
    kind: 'time',
    column: 'starts_at',
    label: 'Start date',
    hint: 'Until then the link shows when it starts, and not where it leads.',
    place: 'times',
    bulk: 'Remove the start date',
    imported:
      'startsat startat startdate start validsince metavalidsince validfrom activefrom publishat scheduledat',
  },
  fallbackUrl: {
    kind: 'url',
    column: 'fallback_url',
    label: 'Fallback',
    hint: 'Where the link leads after its end date or click limit. Without one, it says that it has ended.',
    place: 'times',
    bulk: 'Remove the fallback',
    imported: 'fallbackurl expiredurl expirationurl',
  },
  redirectStatus: {
    kind: 'status',
    column: 'redirect_status',
    label: 'Redirect status',
    place: 'redirect',
    bulk: 'Change the redirect status',
    imported: 'redirectstatus redirecttype',
  },
  clickLimit: {
    kind: 'count',
    column: 'click_limit',
    label: 'Click limit',
    hint: 'The link redirects this many clicks, counted from when you set it. A repeated click counts again; bots neither count nor get through.',
    max: CLICK_LIMIT_MAX,
    place: 'access',
    bulk: 'Remove the click limit',
    imported:
      'clicklimit clickslimit maxvisits metamaxvisits maxclicks visitlimit visitslimit maxuses usagelimit',
  },
  clickLimitOpen: {
    kind: 'flag',
    column: 'limit_open',
    label: 'Redirect even when clicks can’t be counted',
    hint: 'Otherwise visitors are asked to try again.',
    place: 'access',
    imported: 'clicklimitopen limitopen',
  },
  rules: {
    kind: 'rules',
    column: 'rules',
    label: 'Rules',
    place: 'destinations',
    bulk: 'Remove all rules',
    imported: 'rules',
  },
  variants: {
    kind: 'variants',
    column: 'variants',
    label: 'Variants',
    place: 'destinations',
    bulk: 'Remove all variants',
    imported: 'variants',
  },
  password: {
    kind: 'password',
    column: 'has_password',
    label: 'Password',
    hint: 'Visitors enter it before they are redirected. Previews and cards then show no destination.',
    place: 'access',
    bulk: 'Remove the password',
    imported: 'password passcode',
  },
  forwardParams: {
    kind: 'params',
    column: 'forward_params',
    label: 'Forwarded parameters',
    place: 'redirect',
    imported: 'forwardparams forwardquery forwardparameters redirectwithquery',
  },
  suggestOnTypo: {
    kind: 'flag',
    column: 'suggest_on_typo',
    label: 'Suggest this link when its code is misspelled',
    hint: 'A code that differs only by case or by letters like 0 and O then leads to a page that names this one. The code becomes easier to guess.',
    place: 'redirect',
    imported: 'suggestontypo',
  },
  watch: {
    kind: 'watch',
    column: 'watch',
    label: 'Destination checks',
    place: 'checks',
    imported: 'watch',
  },
  watchFallback: {
    kind: 'fallback',
    column: 'watch_fallback',
    label: 'While the destination is unreachable',
    place: 'checks',
    imported: 'watchfallback',
  },
  title: {
    kind: 'text',
    column: 'title',
    label: 'Title',
    hint: 'Only you see title, tags and note.',
    max: LINK_TITLE_MAX,
    place: 'above tags',
    imported: 'title linktitle name label',
  },
  note: {
    kind: 'text',
    column: 'note',
    label: 'Note',
    max: LINK_NOTE_MAX,
    place: 'below tags',
    imported: 'note notes comment comments description memo',
  },
  archived: {
    kind: 'flag',
    column: 'archived',
    label: 'Archived',
    place: null,
    imported: 'archived isarchived',
  },
  favorite: {
    kind: 'flag',
    column: 'favorite',
    label: 'Favorite',
    place: null,
    imported: 'favorite favourite starred',
  },
};

/** The value that removes a setting, which is also that of a new link. */
const NO_VALUE = {
  time: null,
  flag: false,
  count: null,
  text: '',
  url: '',
  watch: 'off',
  fallback: '',
  status: 302,
  params: 'none',
  rules: [],
  variants: [],
  password: '',
} satisfies Record<SettingKind<SettingName>, SettingValue>;
export const noValue = (name: SettingName): SettingValue => NO_VALUE[SETTING_FIELDS[name].kind];
export const hasValue = (name: SettingName, value: SettingValue): boolean =>
  value !== undefined && JSON.stringify(value) !== JSON.stringify(noValue(name));

export const isSettingName = (name: string): name is SettingName =>
  Object.hasOwn(SETTING_FIELDS, name);
export const SETTING_NAMES: readonly SettingName[] =
  Object.keys(SETTING_FIELDS).filter(isSettingName);

/** The settings with a field at this place, in their order. */
export const settingsAt = (place: Place): readonly SettingName[] =>
  SETTING_NAMES.filter((name) => SETTING_FIELDS[name].place === place);

/** A longer text gets a field with several lines. */
export const LINE_MAX = 200;

/** Converts settings of a response to those of a request. */
export function toSettingChanges(settings: Partial<ShownByColumn>): SettingChanges;
export function toSettingChanges(settings: Partial<ShownByColumn>): Record<string, unknown> {
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const { kind, column } = SETTING_FIELDS[name];
      const value = settings[column];
      if (value === undefined) return [];
      if (kind === 'password') return [[name, value === true ? true : '']];
      const isTime = kind === 'time' && typeof value === 'string';
      return [[name, isTime ? Date.parse(value) : value]];
    }),
  );
}
