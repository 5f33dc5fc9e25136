import type { SettingName } from '#contract/links/link-settings.ts';
import { SETTING_FIELDS, SETTING_NAMES } from '#web/shared/link-settings/link-settings.ts';

const OTHER_MEANINGS = {
  url: 'Destination',
  code: 'Code',
  shortUrl: 'Short URL',
  tags: 'Tags',
  createdAt: 'Created',
  clicks: 'Clicks so far',
  importedClicks: 'Clicks before',
  status: 'Status',
  disabled: 'Disabled',
  active: 'Active',
  clickLimitUsed: 'Clicks of the limit that are used',
  externalId: 'External ID',
  earlierCodes: 'Earlier codes',
  history: 'History',
  sourceId: 'ID in the other service',
} as const;
export type Meaning = keyof typeof OTHER_MEANINGS | SettingName;
export const MEANINGS: Readonly<Record<Meaning, string>> = {
  ...OTHER_MEANINGS,
  ...ofSettings('label'),
};

export type ColumnNames = Partial<Record<Meaning, readonly string[]>>;

/** Common column names in files of any origin, as `normalizeName` writes them, clearest first. */
export const COMMON_NAMES: Readonly<Record<Meaning, string>> = {
  url: 'url longurl destinationurl destination targeturl target originalurl originallink longlink fullurl redirecturl redirectto webaddress website href link address',
  code: 'code shortcode alias slug slashtag keyword key backhalf path shortpath customcode customalias customslug custompath customlink custombackhalf ending',
  shortUrl: 'shorturl shortlink shortenedurl shortenedlink shortened short bitlink tinyurl link',
  tags: 'tags tag labels categories',
  createdAt:
    'createdat created datecreated createddate creationdate createdon createdtime timestamp date',
  clicks:
    'clicks totalclicks clickcount clickscount visits visitcount visitscount hits engagements totalengagements',
  importedClicks: 'importedclicks',
  status: 'status state',
  disabled:
    'disabled isdisabled disabledat banned isbanned blocked isblocked paused ispaused suspended deactivated inactive isinactive expired isexpired unsafe',
  active: 'active isactive enabled isenabled',
  clickLimitUsed: 'clicklimitused limitused',
  externalId: 'externalid',
  earlierCodes: 'earliercodes',
  history: 'history',
  sourceId: 'sourceid id linkid idstring uuid guid',
  ...ofSettings('imported'),
};

const ALL = Object.keys(COMMON_NAMES).filter(isMeaning);

function ofSettings(member: 'label' | 'imported'): Record<SettingName, string>;
function ofSettings(member: 'label' | 'imported'): Record<string, string> {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTING_FIELDS[name][member]]));
}

export function isMeaning(text: string): text is Meaning {
  return Object.hasOwn(MEANINGS, text);
}

/**
 * Removes case, spaces and punctuation from a name: `Long URL`, `long_url` and `longUrl` become
 * equal.
 */
export const normalizeName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Returns the meaning of each column. Names of the format take precedence over common ones, and
 * each meaning has one column. `chosen` maps column names to the member's choices: a meaning, or
 * any other text for a column that is not imported.
 */
export function meaningsOf(
  names: readonly string[],
  formatNames: ColumnNames,
  chosen: Readonly<Record<string, string>> = {},
): (Meaning | null)[] {
  const byName = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const normalized = normalizeName(name);
    if (!byName.has(normalized)) byName.set(normalized, index);
  }
  const meanings = names.map((name) => {
    const choice = Object.hasOwn(chosen, name) ? chosen[name] : undefined;
    return choice !== undefined && isMeaning(choice) ? choice : null;
  });
  for (const meaning of ALL) {
    if (meanings.includes(meaning)) continue;
    const candidates = [...(formatNames[meaning] ?? []), ...COMMON_NAMES[meaning].split(' ')].map(
      (name) => byName.get(name),
    );
    const column = candidates.find(
      (index) =>
        index !== undefined &&
        meanings[index] === null &&
        !Object.hasOwn(chosen, names[index] ?? ''),
    );
    if (column !== undefined) meanings[column] = meaning;
  }
  return meanings;
}
