import {
  LINK_SETTINGS,
  SETTING_NAMES,
  namesWith,
  shownAs,
  type GivenSettings,
  type LinkSettings,
  type NamesWith,
  type SettingName,
  type SettingValues,
  type ShownByColumn,
  type ShownSettings,
} from '#contract/links/link-settings.ts';
import { fromStoredParams, toStoredParams } from './forward-params.ts';
import { fromStoredRules, fromStoredVariants, toStoredList } from './stored-rules.ts';

type Kind = keyof SettingValues;

/** The settings on which redirects depend. */
export const PUBLISHED = namesWith({ isPublished: true });
export type PublishedSettings = Pick<LinkSettings, NamesWith<{ isPublished: true }>>;
/** The settings that are only the owner's notes: no redirect depends on them. */
export const NOTES = namesWith({ isPublished: false });
export type Notes = Pick<LinkSettings, NamesWith<{ isPublished: false }>>;
export const HISTORY = namesWith({ hasHistory: true });

/** Returns the named settings, without undefined ones. */
export function pickSettings<Settings extends Partial<LinkSettings>, Name extends SettingName>(
  settings: Settings,
  names: readonly Name[],
): Pick<Settings, Name & keyof Settings>;
export function pickSettings(
  settings: Partial<LinkSettings>,
  names: readonly SettingName[],
): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
  );
}

/** Returns the names of settings that differ; one that is undefined in `after` is unchanged. */
export const changedSettings = <Name extends SettingName>(
  before: Pick<LinkSettings, Name>,
  after: Partial<Pick<LinkSettings, Name>>,
  names: readonly Name[],
): Name[] => names.filter((name) => after[name] !== undefined && after[name] !== before[name]);

/** The settings of a request. Its password is hashed later (hash-password.ts); '' removes it. */
export type ReadSettings = Partial<Omit<LinkSettings, 'password'>> & { newPassword?: string };

/** Converts the settings of a request to their stored form: times in ms, rules and null as text. */
export function readLinkSettings(given: GivenSettings): ReadSettings;
export function readLinkSettings(given: GivenSettings): Record<string, unknown> {
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name): [string, unknown][] => {
      const value = given[name];
      if (value === undefined) return [];
      if (name === 'password') return [['newPassword', value ?? '']];
      return [[name, read(LINK_SETTINGS[name].kind, value)]];
    }),
  );
}

/** Converts stored settings to the form of API responses: times in ISO 8601, rules as lists. */
export function showSettings<Name extends SettingName>(
  settings: Pick<LinkSettings, Name>,
  names: readonly Name[],
): ShownSettings<Name>;
export function showSettings(
  settings: Partial<LinkSettings>,
  names: readonly SettingName[],
): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [shownAs(name).name, show(LINK_SETTINGS[name].kind, settings[name])]),
  );
}

/** Returns the same as `showSettings` under the names of /api. */
export function showByColumn<Name extends SettingName>(
  settings: Pick<LinkSettings, Name>,
  names: readonly Name[],
): ShownByColumn<Name>;
export function showByColumn(
  settings: Partial<LinkSettings>,
  names: readonly SettingName[],
): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [shownAs(name).column, show(LINK_SETTINGS[name].kind, settings[name])]),
  );
}

function read(kind: Kind, given: unknown): unknown {
  if (kind === 'time') return typeof given === 'string' ? Date.parse(given) : given;
  if (kind === 'text' || kind === 'url' || kind === 'fallback') return given ?? '';
  if ((kind === 'rules' || kind === 'variants') && Array.isArray(given)) return toStoredList(given);
  if (kind === 'params' && (given === 'all' || given === 'none' || Array.isArray(given)))
    return toStoredParams(given);
  return given;
}

function show(kind: Kind, value: unknown): unknown {
  if (kind === 'password') return value !== '';
  if (kind === 'time') return typeof value === 'number' ? new Date(value).toISOString() : null;
  if (kind === 'rules' && typeof value === 'string') return fromStoredRules(value);
  if (kind === 'variants' && typeof value === 'string') return fromStoredVariants(value);
  return kind === 'params' && typeof value === 'string' ? fromStoredParams(value) : value;
}
