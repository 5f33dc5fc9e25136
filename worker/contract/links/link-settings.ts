import * as z from 'zod/mini';
import { changesSomething } from '#contract/common-schemas.ts';
import { forwardParams, type ForwardParams } from './forward-params.ts';
import type { LinkVariant } from './link-variants.ts';
import type { LinkRule, RedirectStatus } from './rule-conditions.ts';
import * as schema from './setting-schemas.ts';
import { flag, note, time, title } from './setting-schemas.ts';
import type { WatchMode } from './watch.ts';

/**
 * The settings of a link that are one value in one column. Schemas, columns, responses, history,
 * exports, imports and events are derived from this table. The target, the code, the external id,
 * the state and the tags have separate rules and statements.
 */

/** The origin of a request that creates links. A change may contain every setting. */
type Origin = 'page' | 'v1' | 'import';

type Setting = {
  kind: keyof SettingValues;
  /**
   * The name of the column in `links` (and in `link_changes` if the setting has a history), and of
   * the setting in /api.
   */
  column: string;
  /** The schema of the value in a request to /api, to /api/v1, and in a row of an import. */
  schemas: Record<Origin, z.ZodMiniType>;
  /** The schema of the value in a response of /api/v1. */
  shown: z.ZodMiniType;
  /** Its names in responses of /api/v1 and of /api, if they are not those of requests. */
  shownAs?: { name: string; column: string };
  /** The requests that may set it for a new link. */
  givenBy: readonly Origin[];
  /** Whether redirects depend on it: a change then raises the link's version and reaches KV. */
  isPublished: boolean;
  hasHistory: boolean;
  /** Whether an API key needs `links:write` to set it for a new link. */
  needsWrite: boolean;
};

/** The type of each kind of value, in the Worker and in responses. */
export type SettingValues = {
  /** In ms since 1970; RFC 3339 in responses. */
  time: { value: number | null; shown: string | null };
  flag: { value: boolean; shown: boolean };
  /** Null for none. */
  count: { value: number | null; shown: number | null };
  text: { value: string; shown: string };
  /** An href; '' for none. */
  url: { value: string; shown: string };
  watch: { value: WatchMode; shown: WatchMode };
  /** An href, or the name of the archived copy (watch.ts); '' for none. */
  fallback: { value: string; shown: string };
  status: { value: RedirectStatus; shown: RedirectStatus };
  /** In the stored form of links/settings/forward-params.ts. */
  params: { value: string; shown: ForwardParams };
  /** As JSON; '' for none. */
  rules: { value: string; shown: LinkRule[] };
  /** As JSON; '' for none. */
  variants: { value: string; shown: LinkVariant[] };
  /** As a hash; '' for none. Responses say only whether there is one. */
  password: { value: string; shown: boolean };
};

const PUBLISHED_SETTING = {
  givenBy: ['page', 'v1', 'import'],
  isPublished: true,
  hasHistory: true,
  needsWrite: false,
} as const;
const OWN_SETTING = { ...PUBLISHED_SETTING, isPublished: false } as const;

const defineSettings = <const All extends Record<string, Setting>>(all: All): All => all;

export const LINK_SETTINGS = defineSettings({
  expiresAt: { ...time('end date'), column: 'expires_at', ...PUBLISHED_SETTING },
  startsAt: { ...time('start date'), column: 'starts_at', ...PUBLISHED_SETTING },
  fallbackUrl: { ...schema.fallbackUrl, column: 'fallback_url', ...PUBLISHED_SETTING },
  redirectStatus: { ...schema.redirectStatus, column: 'redirect_status', ...PUBLISHED_SETTING },
  clickLimit: { ...schema.clickLimit, column: 'click_limit', ...PUBLISHED_SETTING },
  clickLimitOpen: { ...flag(), column: 'limit_open', ...PUBLISHED_SETTING },
  rules: { ...schema.rules, column: 'rules', ...PUBLISHED_SETTING },
  variants: { ...schema.variants, column: 'variants', ...PUBLISHED_SETTING },
  password: {
    ...schema.password,
    column: 'password_hash',
    shownAs: { name: 'hasPassword', column: 'has_password' },
    ...PUBLISHED_SETTING,
  },
  watch: { ...schema.watch, column: 'watch', ...OWN_SETTING },
  // No redirect reads it, but its address is checked like that of other destinations.
  watchFallback: { ...schema.watchFallback, column: 'watch_fallback', ...PUBLISHED_SETTING },
  title: { ...title, column: 'title', ...OWN_SETTING },
  note: { ...note, column: 'note', ...OWN_SETTING, needsWrite: true },
  archived: { ...flag(), column: 'archived', ...OWN_SETTING, givenBy: ['v1', 'import'] },
  favorite: {
    ...flag(),
    column: 'favorite',
    ...OWN_SETTING,
    givenBy: ['v1', 'import'],
    hasHistory: false,
  },
  forwardParams: {
    ...schema.uniform('params', forwardParams),
    column: 'forward_params',
    ...PUBLISHED_SETTING,
  },
  suggestOnTypo: { ...flag(), column: 'suggest_on_typo', ...OWN_SETTING, hasHistory: false },
});

type Table = typeof LINK_SETTINGS;
export type SettingName = keyof Table;

export type SettingKind<Name extends SettingName> = Table[Name]['kind'];
export type SettingColumn<Name extends SettingName> = Table[Name]['column'];
type ShownAs<Name extends SettingName> = Name extends SettingName
  ? Table[Name] extends { shownAs: infer Names }
    ? Names
    : { name: Name; column: SettingColumn<Name> }
  : never;
type TextOf<Names, Member extends string> =
  Names extends Record<Member, infer Text extends string> ? Text : never;
/** The name of a setting in responses of /api/v1. */
export type ShownName<Name extends SettingName> = TextOf<ShownAs<Name>, 'name'>;
/** The name of a setting in responses of /api. */
export type ShownColumn<Name extends SettingName> = TextOf<ShownAs<Name>, 'column'>;

export type NamesWith<Properties> = {
  [Name in SettingName]: Table[Name] extends Properties ? Name : never;
}[SettingName];
/** The names of the settings that a request which creates links may contain. */
export type NamesGivenBy<Source extends Origin> = {
  [Name in SettingName]: Source extends Table[Name]['givenBy'][number] ? Name : never;
}[SettingName];
export type HistoryName = NamesWith<{ hasHistory: true }>;

export type LinkSettings = { [Name in SettingName]: SettingValues[SettingKind<Name>]['value'] };

/** Settings as requests contain them: as in responses, or with a time in ms or no text. */
export type GivenSettings = { password?: string | null | undefined } & {
  [Name in Exclude<SettingName, 'password'>]?:
    | SettingValues[SettingKind<Name>]['shown']
    | (SettingKind<Name> extends 'time' ? number : never)
    | (SettingKind<Name> extends 'text' | 'url' | 'fallback' ? null : never)
    | undefined;
};

export type ShownSettings<Name extends SettingName = SettingName> = {
  [One in Name as ShownName<One>]: SettingValues[SettingKind<One>]['shown'];
};

/** Settings under their names in /api, which are usually those of the columns. */
export type ShownByColumn<Name extends SettingName = SettingName> = {
  [One in Name as ShownColumn<One>]: SettingValues[SettingKind<One>]['shown'];
};

const isSettingName = (name: string): name is SettingName => Object.hasOwn(LINK_SETTINGS, name);
export const SETTING_NAMES: readonly SettingName[] =
  Object.keys(LINK_SETTINGS).filter(isSettingName);

/** The names of a setting in responses of /api/v1 and of /api. */
export function shownAs<Name extends SettingName>(
  name: Name,
): { name: ShownName<Name>; column: ShownColumn<Name> };
export function shownAs(name: SettingName): { name: string; column: string } {
  const { column, shownAs: names = { name, column } }: Setting = LINK_SETTINGS[name];
  return names;
}

/** The names of the settings with these properties, in the order of the table. */
export function namesWith<const Properties extends Partial<Setting>>(
  properties: Properties,
): readonly NamesWith<Properties>[];
export function namesWith(properties: Partial<Setting>): readonly SettingName[] {
  return SETTING_NAMES.filter((name) => {
    const setting: Record<string, unknown> = LINK_SETTINGS[name];
    return Object.entries(properties).every(([property, value]) => setting[property] === value);
  });
}

type Members<Source extends Origin, Name extends SettingName> = {
  [One in Name]: z.ZodMiniOptional<Table[One]['schemas'][Source]>;
};

/** The settings that a request from `source` may give to a new link, for `z.object`. */
export function newLinkMembers<Source extends Origin>(
  source: Source,
): Members<Source, NamesGivenBy<Source>>;
export function newLinkMembers(source: Origin): Record<string, z.ZodMiniType> {
  const given = SETTING_NAMES.filter((name) => {
    const { givenBy }: Setting = LINK_SETTINGS[name];
    return givenBy.includes(source);
  });
  return toMembers(given, (name) => z.optional(LINK_SETTINGS[name].schemas[source]));
}

export function changeMembers(): Members<'v1', SettingName>;
export function changeMembers(): Record<string, z.ZodMiniType> {
  return toMembers(SETTING_NAMES, (name) => z.optional(LINK_SETTINGS[name].schemas.v1));
}

/** These settings in a change by a page; all without names. A time or a count of null removes it. */
export function pageChangeMembers<Name extends SettingName = SettingName>(
  names?: readonly Name[],
): {
  [One in Name]: z.ZodMiniOptional<
    SettingKind<One> extends 'time' | 'count'
      ? z.ZodMiniNullable<Table[One]['schemas']['page']>
      : Table[One]['schemas']['page']
  >;
};
export function pageChangeMembers(
  names: readonly SettingName[] = SETTING_NAMES,
): Record<string, z.ZodMiniType> {
  return toMembers(names, (name) => {
    const { kind, schemas }: Setting = LINK_SETTINGS[name];
    return z.optional(
      kind === 'time' || kind === 'count' ? z.nullable(schemas.page) : schemas.page,
    );
  });
}

/** The settings with these properties in a response of the public API; all without properties. */
export function shownMembers<const Properties extends Partial<Setting>>(
  properties?: Properties,
): { [Name in NamesWith<Properties> as ShownName<Name>]: Table[Name]['shown'] };
export function shownMembers(properties: Partial<Setting> = {}): Record<string, z.ZodMiniType> {
  const names = namesWith(properties);
  return Object.fromEntries(names.map((name) => [shownAs(name).name, LINK_SETTINGS[name].shown]));
}

const toMembers = (
  names: readonly SettingName[],
  schemaOf: (name: SettingName) => z.ZodMiniType,
): Record<string, z.ZodMiniType> => Object.fromEntries(names.map((name) => [name, schemaOf(name)]));

/** The check of a change of a link. `others` lists the members besides the settings. */
export const changesLink = (others: string) =>
  changesSomething(`Nothing to change. Send ${[others, ...SETTING_NAMES].join(', ')} or tags.`);
