import type { LinkBody } from './client.ts';
import { UsageError, type Call, type Option, type Options } from './command.ts';
import { readSecret } from './read-secret.ts';

/** The settings of a link whose options have a value or are a switch. */
type SettingName = Exclude<
  keyof LinkBody,
  'url' | 'code' | 'domain' | 'externalId' | 'tags' | 'enabled' | 'password'
>;
type Given = Partial<Pick<LinkBody, SettingName>>;

type Setting = { kind: keyof typeof KINDS; option: string; text: string };

/** How the value of an option becomes that of the setting. */
const KINDS = {
  time: { value: 'TIME', read: (text: string) => (text === 'never' ? null : text) },
  text: { value: 'TEXT', read: (text: string) => text },
  url: { value: 'URL', read: (text: string) => (text === 'none' ? null : text) },
  status: { value: 'STATUS', read: Number },
  count: { value: 'NUMBER', read: (text: string) => (text === 'none' ? null : Number(text)) },
  json: { value: 'JSON', read: readJson },
  flag: { isNegatable: true, read: () => undefined },
  names: {
    value: 'NAMES',
    read: (text: string) => (text === 'all' || text === 'none' ? text : text.split(',')),
  },
} as const;

const SETTINGS: Readonly<Record<SettingName, Setting>> = {
  title: { kind: 'text', option: 'title', text: 'a name for your own lists' },
  note: { kind: 'text', option: 'note', text: 'a note for yourself' },
  expiresAt: {
    kind: 'time',
    option: 'expires',
    text: 'when the link stops, such as 2027-01-31T12:00:00Z, or “never”',
  },
  startsAt: {
    kind: 'time',
    option: 'starts',
    text: 'when the link begins to redirect, or “never” for at once',
  },
  fallbackUrl: {
    kind: 'url',
    option: 'fallback',
    text: 'where the link leads after its end, or “none”',
  },
  redirectStatus: {
    kind: 'status',
    option: 'redirect-status',
    text: '302, 301, 307 or 308; some programs remember 301 and 308',
  },
  clickLimit: {
    kind: 'count',
    option: 'click-limit',
    text: 'how many clicks the link redirects, from now on, or “none”',
  },
  clickLimitOpen: {
    kind: 'flag',
    option: 'click-limit-open',
    text: 'redirect while clicks cannot be counted, instead of an error',
  },
  rules: {
    kind: 'json',
    option: 'rules',
    text: `rules as JSON, such as '[{"if":{"device":["ios"]},"to":"https://…"}]', or “[]”`,
  },
  variants: {
    kind: 'json',
    option: 'variants',
    text: `other destinations and their share of visitors as JSON, such as '[{"url":"https://…","weight":30}]', or “[]”`,
  },
  forwardParams: {
    kind: 'names',
    option: 'forward',
    text: 'query parameters that the target gets: all, none, or names with commas',
  },
  suggestOnTypo: {
    kind: 'flag',
    option: 'suggest',
    text: 'suggest it to visitors who misspell its code',
  },
  watch: {
    kind: 'text',
    option: 'watch',
    text: 'check the destination: on, off, or always for one-time addresses, too',
  },
  watchFallback: {
    kind: 'url',
    option: 'watch-fallback',
    text: 'where it leads while unreachable: a URL, “archive” or “none”',
  },
  archived: { kind: 'flag', option: 'archived', text: 'leave it out of the list' },
  favorite: { kind: 'flag', option: 'favorite', text: 'mark it as a favorite' },
};

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
      const { read: _, ...form } = KINDS[kind];
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
