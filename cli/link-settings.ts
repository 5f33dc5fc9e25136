import type { LinkBody } from './client.ts';
import type { Call, Option } from './command.ts';

type SettingName = Exclude<
  keyof LinkBody,
  'url' | 'code' | 'externalId' | 'tags' | 'forwardParams' | 'enabled' | 'archived' | 'favorite'
>;

type Setting = {
  kind: 'time' | 'text';
  /** The option that sets it, with its text in help. */
  option?: { name: string; text: string };
};

/** The link settings that have a single value. */
const SETTINGS: Readonly<Record<SettingName, Setting>> = {
  expiresAt: {
    kind: 'time',
    option: { name: 'expires', text: 'when the link stops' },
  },
  title: { kind: 'text' },
  note: { kind: 'text' },
};

/** Reads the settings from options. The time "never" becomes null. */
export const settingsInOptions = (text: Call['text']): Given =>
  settingsFrom(({ option }) => (option === undefined ? undefined : text(option.name)));

type Given = Partial<Pick<LinkBody, SettingName>>;

const settingsFrom = (textOf: (setting: Setting) => string | undefined): Given =>
  Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, setting]) => {
      const text = textOf(setting);
      return text === undefined ? [] : [[name, valueOf(setting, text)]];
    }),
  );

const valueOf = ({ kind }: Setting, text: string): string | null =>
  kind === 'time' && text === 'never' ? null : text;

const VALUES = { time: 'TIME', text: 'TEXT' } as const;

/**
 * Returns the options that set link settings. `ending` is appended to the text of options with a
 * time.
 */
export const settingOptions = (ending: string): Record<string, Option> =>
  Object.fromEntries(
    Object.values(SETTINGS).flatMap(({ kind, option }) =>
      option === undefined
        ? []
        : [
            [
              option.name,
              { value: VALUES[kind], text: option.text + (kind === 'time' ? ending : '') },
            ],
          ],
    ),
  );
