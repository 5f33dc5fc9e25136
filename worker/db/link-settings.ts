import { sql, type AnyColumn, type SQL } from 'drizzle-orm';
import {
  LINK_SETTINGS,
  SETTING_NAMES,
  namesWith,
  type LinkSettings,
  type SettingColumn,
  type SettingName,
} from '#contract/links/link-settings.ts';
import { link_changes } from './schema-link-changes.ts';
import { links } from './schema-links.ts';

/** The columns of `links` that hold settings, by setting. */
export const settingColumns = columnsOf(links, SETTING_NAMES);
/** The columns of `link_changes` that hold settings. */
export const historyColumns = columnsOf(link_changes, namesWith({ hasHistory: true }));

function columnsOf<Name extends SettingName, Table extends Record<SettingColumn<Name>, unknown>>(
  table: Table,
  names: readonly Name[],
): { [One in Name]: Table[SettingColumn<One>] };
function columnsOf(
  table: Readonly<Record<string, unknown>>,
  names: readonly SettingName[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, table[LINK_SETTINGS[name].column]]));
}

/** The columns of these settings, as a list in SQL. */
export const namesOfColumns = (names: readonly SettingName[]): SQL =>
  sql.raw(names.map((name) => LINK_SETTINGS[name].column).join(', '));

const NO_VALUE = {
  time: null,
  flag: false,
  count: null,
  text: '',
  url: '',
  watch: 'off',
  fallback: '',
  status: 302,
  params: '',
  rules: '',
  variants: '',
  password: '',
} as const;

/** The settings of a link that were never set. */
export const NO_SETTINGS: LinkSettings = noSettings();

function noSettings(): LinkSettings;
function noSettings(): Record<string, unknown> {
  return Object.fromEntries(
    SETTING_NAMES.map((name) => [name, NO_VALUE[LINK_SETTINGS[name].kind]]),
  );
}

/** The given settings by column; other members are left out. */
export function toColumnValues<Given extends Partial<LinkSettings>>(
  settings: Given,
): {
  [Name in keyof Given as Name extends SettingName ? SettingColumn<Name> : never]: Given[Name];
};
export function toColumnValues(settings: Partial<LinkSettings>): Record<string, unknown> {
  return Object.fromEntries(
    SETTING_NAMES.filter((name) => settings[name] !== undefined).map((name) => [
      LINK_SETTINGS[name].column,
      settings[name],
    ]),
  );
}

/** Assignments in SQL that reset these settings of a link. */
export const clearSettings = (names: readonly SettingName[]): SQL =>
  sql.join(
    names.map((name) => sql`${sql.raw(LINK_SETTINGS[name].column)} = ${NO_SETTINGS[name]}`),
    sql`, `,
  );

/** D1 allows 32 arguments of a function (https://developers.cloudflare.com/d1/platform/limits/). */
const MEMBERS_PER_CALL = 15;

/** SQL for a JSON object with these settings as further members. */
export function withSettings<Name extends SettingName>(
  object: SQL,
  names: readonly Name[],
  columns: Readonly<Record<Name, AnyColumn>>,
): SQL {
  const members = names.slice(0, MEMBERS_PER_CALL).map((name) => {
    const [member, column] = [sql.raw(`'$.${name}'`), columns[name]];
    const { kind } = LINK_SETTINGS[name];
    // A copy elsewhere says only whether there is a password.
    if (kind === 'password') return sql`${member}, iif(${column} = '', '', 'set')`;
    // SQLite has no booleans.
    return kind === 'flag'
      ? sql`${member}, json(case ${column} when 1 then 'true' when 0 then 'false' else 'null' end)`
      : sql`${member}, ${column}`;
  });
  if (members.length === 0) return object;
  const extended = sql`json_set(${object}, ${sql.join(members, sql`, `)})`;
  return withSettings(extended, names.slice(MEMBERS_PER_CALL), columns);
}
