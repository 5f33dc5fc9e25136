import type {
  SettingColumn,
  SettingKind,
  SettingName,
  ShownByColumn,
} from '#contract/link-settings.ts';
import type { LinkChange } from '#contract/links.ts';
import { LINK_NOTE_MAX, LINK_TITLE_MAX } from '#contract/limits.ts';
import { formatDateTime } from './format.ts';

type Entry<Name extends SettingName> = {
  kind: SettingKind<Name>;
  /** The setting's name in responses of /api. */
  column: SettingColumn<Name>;
  label: string;
  hint?: string;
  /** The maximum length of a text in characters. */
  max?: number;
  /** True if the form of a link has a field for it. */
  isInForm: boolean;
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
    isInForm: true,
    imported:
      'expiresat expires expireson expiry expirydate expiration expirationdate expirationat expiredate expireat expirein enddate endsat validuntil',
  },
  forwardParams: {
    kind: 'rule',
    column: 'forward_params',
    label: 'Forwarded parameters',
    isInForm: false,
    imported: 'forwardparams forwardquery',
  },
  title: {
    kind: 'text',
    column: 'title',
    label: 'Title',
    hint: 'Only you see title, tags and note.',
    max: LINK_TITLE_MAX,
    isInForm: true,
    imported: 'title linktitle name label',
  },
  note: {
    kind: 'text',
    column: 'note',
    label: 'Note',
    max: LINK_NOTE_MAX,
    isInForm: true,
    imported: 'note notes comment comments description memo',
  },
  archived: {
    kind: 'flag',
    column: 'archived',
    label: 'Archived',
    isInForm: false,
    imported: 'archived isarchived',
  },
  favorite: {
    kind: 'flag',
    column: 'favorite',
    label: 'Favorite',
    isInForm: false,
    imported: 'favorite favourite starred',
  },
};

export const isSettingName = (name: string): name is SettingName =>
  Object.hasOwn(SETTING_FIELDS, name);
export const SETTING_NAMES: readonly SettingName[] =
  Object.keys(SETTING_FIELDS).filter(isSettingName);

/** A longer text gets a field with several lines. */
export const LINE_MAX = 200;

const NONE = 'none';

export function describeSetting(name: SettingName, settings: Partial<ShownByColumn>): string {
  const { kind, column } = SETTING_FIELDS[name];
  const value = settings[column];
  if (value === undefined || value === null || value === '') return NONE;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return kind === 'time' ? formatDateTime(String(value)) : [value].flat().join(', ');
}

/**
 * Returns the change that gives `settings` to a link, without the settings that the link already
 * has.
 */
export function changeSettings(
  link: ShownByColumn,
  settings: Partial<ShownByColumn>,
): Pick<LinkChange, SettingName>;
export function changeSettings(
  link: ShownByColumn,
  settings: Partial<ShownByColumn>,
): Record<string, unknown> {
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const { kind, column } = SETTING_FIELDS[name];
      const value = settings[column];
      if (value === undefined || String(value) === String(link[column])) return [];
      return [[name, kind === 'time' && value !== null ? Date.parse(String(value)) : value]];
    }),
  );
}
