import { describeConditions } from '#contract/links/describe-rule.ts';
import type { ApiLink, LinkBody } from './client.ts';
import { UsageError, type Call, type Option, type Options } from './command.ts';
import { readSecret } from './read-secret.ts';

/** The settings of a link whose options have a value or are a switch. */
type SettingName = Exclude<
  keyof LinkBody,
  'url' | 'code' | 'domain' | 'externalId' | 'tags' | 'enabled' | 'password'
>;
type Given = Partial<Pick<LinkBody, SettingName>>;

type Setting = {
  kind: keyof typeof KINDS;
  option: string;
  /** What the help says of the option. */
  text: string;
  /** What `hop get` calls it. */
  label: string;
  /** The lines in `hop get`, if one line with the value is not enough. */
  rows?: (link: ApiLink) => string[][];
};

const ifSet = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * Converts the text of an option to the value of the setting, and the value to the text of `hop
 * get`.
 */
const KINDS = {
  time: { value: 'TIME', read: (text: string) => (text === 'never' ? null : text), show: ifSet },
  text: { value: 'TEXT', read: (text: string) => text, show: ifSet },
  url: { value: 'URL', read: (text: string) => (text === 'none' ? null : text), show: ifSet },
  status: { value: 'STATUS', read: Number, show: ifSet },
  count: {
    value: 'NUMBER',
    read: (text: string) => (text === 'none' ? null : Number(text)),
    show: ifSet,
  },
  json: { value: 'JSON', read: readJson, show: JSON.stringify },
  flag: {
    isNegatable: true,
    read: () => undefined,
    show: (value: unknown) => (value === true ? 'yes' : ''),
  },
  names: {
    value: 'NAMES',
    read: (text: string) => (text === 'all' || text === 'none' ? text : text.split(',')),
    show: (value: unknown) => (value === 'none' ? '' : [value].flat().join(', ')),
  },
} as const;

const SETTINGS: Readonly<Record<SettingName, Setting>> = {
  title: { kind: 'text', option: 'title', text: 'a name for your own lists', label: 'Title' },
  note: { kind: 'text', option: 'note', text: 'a note for yourself', label: 'Note' },
  startsAt: {
    kind: 'time',
    option: 'starts',
    text: 'when the link begins to redirect, or “never” for at once',
    label: 'Starts',
  },
  expiresAt: {
    kind: 'time',
    option: 'expires',
    text: 'when the link stops, such as 2027-01-31T12:00:00Z, or “never”',
    label: 'Ends',
  },
  fallbackUrl: {
    kind: 'url',
    option: 'fallback',
    text: 'where the link leads after its end, or “none”',
    label: 'After its end',
  },
  redirectStatus: {
    kind: 'status',
    option: 'redirect-status',
    text: '302, 301, 307 or 308; some programs remember 301 and 308',
    label: 'Redirect status',
  },
  rules: {
    kind: 'json',
    option: 'rules',
    text: `rules as JSON, such as '[{"if":{"device":["ios"]},"to":"https://…"}]', or “[]”`,
    label: 'Rule',
    rows: ({ rules }) =>
      rules.map(({ if: conditions, to }, at) => [
        `Rule ${at + 1}`,
        `${describeConditions(conditions)} → ${to}`,
      ]),
  },
  variants: {
    kind: 'json',
    option: 'variants',
    text: `other destinations and their share of visitors as JSON, such as '[{"url":"https://…","weight":30}]', or “[]”`,
    label: 'Variant',
    rows: ({ variants }) =>
      variants.map(({ url, weight }, at) => [`Variant ${at + 1}`, `${weight}% → ${url}`]),
  },
  clickLimit: {
    kind: 'count',
    option: 'click-limit',
    text: 'how many clicks the link redirects, from now on, or “none”',
    label: 'Click limit',
    rows: (link) => [['Click limit', describeLimit(link)]],
  },
  clickLimitOpen: {
    kind: 'flag',
    option: 'click-limit-open',
    text: 'redirect while clicks cannot be counted, instead of an error',
    label: 'Click limit',
    rows: () => [],
  },
  watch: {
    kind: 'text',
    option: 'watch',
    text: 'check the destination: on, off, or always for one-time addresses, too',
    label: 'Checks',
    rows: ({ watch, health }) => [
      ['Checks', watch === 'off' ? '' : [watch, health?.state ?? ''].join(' ').trim()],
    ],
  },
  watchFallback: {
    kind: 'url',
    option: 'watch-fallback',
    text: 'where it leads while unreachable: a URL, “archive” or “none”',
    label: 'If unreachable',
  },
  archived: {
    kind: 'flag',
    option: 'archived',
    text: 'leave it out of the list',
    label: 'Archived',
  },
  favorite: {
    kind: 'flag',
    option: 'favorite',
    text: 'mark it as a favorite',
    label: 'Favorite',
  },
  forwardParams: {
    kind: 'names',
    option: 'forward',
    text: 'query parameters that the target gets: all, none, or names with commas',
    label: 'Forwards',
  },
  suggestOnTypo: {
    kind: 'flag',
    option: 'suggest',
    text: 'suggest it to visitors who misspell its code',
    label: 'Suggested on typos',
  },
};

const describeLimit = ({ clickLimit, clickLimitUsed, clickLimitOpen }: ApiLink): string =>
  clickLimit === null
    ? ''
    : `${clickLimitUsed} of ${clickLimit} used${clickLimitOpen ? ', open if it cannot be counted' : ''}`;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      'This is no JSON. Rules look like [{"if":{"country":["BR"]},"to":"https://…"}], variants like [{"url":"https://…","weight":30}].',
    );
  }
}

/** The options that set link settings. */
export const SETTING_OPTIONS: Options = {
  ...Object.fromEntries(
    Object.values(SETTINGS).map(({ kind, option, text }): [string, Option] => {
      const { read: _read, show: _show, ...form } = KINDS[kind];
      return [option, { ...form, text }];
    }),
  ),
  password: {
    isNegatable: true,
    text: 'what visitors must enter; asked for, or read from standard input',
  },
};

/** The password that `--password` asks for, which is never an argument. Null removes it. */
export async function passwordIn({
  flag,
}: Pick<Call, 'flag'>): Promise<{ password?: string | null }> {
  const wanted = flag('password');
  if (wanted === undefined) return {};
  if (!wanted) return { password: null };
  const password = await readSecret('Password for visitors: ');
  if (password === '')
    throw new UsageError('The password is empty. Use --no-password to remove it.');
  return { password };
}

/** Reads the settings from options. */
export function settingsIn(call: Pick<Call, 'text' | 'flag'>): Given;
export function settingsIn({ text, flag }: Pick<Call, 'text' | 'flag'>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, { kind, option }]) => {
      const given = text(option);
      const value = given === undefined ? flag(option) : KINDS[kind].read(given);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The settings of a link, without its password, which nobody can read. */
export function settingsOf(link: ApiLink): Pick<ApiLink, SettingName>;
export function settingsOf(link: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, link[name]]));
}

/** The lines of `hop get` about settings. A value of '' is left out. */
export function describeSettings(link: ApiLink): string[][] {
  const values: Readonly<Record<string, unknown>> = link;
  return Object.entries(SETTINGS).flatMap(
    ([name, { kind, label, rows }]) => rows?.(link) ?? [[label, KINDS[kind].show(values[name])]],
  );
}
