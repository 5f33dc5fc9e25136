import type { SettingName } from '#contract/link-settings.ts';
import { LINE_MAX, SETTING_FIELDS, SETTING_NAMES } from '#web/shared/link-settings.ts';
import type { Meaning } from './columns.ts';
import type { Format } from './formats.ts';
import type { ImportRow } from './import-row.ts';
import {
  linkCodeOf,
  countOf,
  forwardOf,
  isYes,
  lineOf,
  linesOf,
  shortLinkOf,
  tagsOf,
  textOf,
  timeOf,
} from './read-values.ts';

const DISABLED = /^(?:disabled|inactive|paused|blocked|banned)$/i;
const ARCHIVED = /^(?:archived|hidden)$/i;

export function toRow(
  line: number,
  read: (meaning: Meaning) => unknown,
  format: Format,
): ImportRow {
  const shortLink = shortLinkOf(read('shortUrl'));
  const created = timeOf(read('createdAt'));
  const status = textOf(read('status'));
  const tags = tagsOf(read('tags'), format.tagSeparator);
  const row: ImportRow = { line, url: textOf(read('url')) };
  const texts = {
    code: linkCodeOf(read('code')) || linkCodeOf(shortLink && `//${shortLink}`),
    createdAt: created ?? '',
    sourceId: shortLink || textOf(read('sourceId')),
  };
  // Dub uses this key for the link of a domain itself.
  if (texts.code === '_root') texts.code = '';
  for (const name of ['code', 'createdAt', 'sourceId'] as const)
    if (texts[name] !== '') row[name] = texts[name];
  if (tags.length > 0) row.tags = tags;
  Object.assign(row, settingsOf(read));
  const clicks = countOf(read('clicks'));
  if (clicks !== undefined) row.clicks = clicks;
  if (ARCHIVED.test(status)) row.archived = true;
  const disabled = read('disabled');
  // Some services write the time at which it was disabled.
  if (DISABLED.test(status) || isYes(disabled) || Boolean(timeOf(disabled))) row.disabled = true;
  const problem = problemOf(row, {
    isDeleted: /^deleted$/i.test(status),
    hasPassword: isPassword(read('password')),
    unreadable: SETTING_NAMES.find(
      (name) => SETTING_FIELDS[name].kind === 'time' && timeOf(read(name)) === undefined,
    ),
    read,
  });
  return problem === undefined ? row : { ...row, problem };
}

function settingsOf(read: (meaning: Meaning) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const value = readSetting(SETTING_FIELDS[name], read(name));
      return value === undefined || value === '' || value === null ? [] : [[name, value]];
    }),
  );
}

function readSetting({ kind, max = 0 }: (typeof SETTING_FIELDS)[SettingName], value: unknown) {
  switch (kind) {
    case 'time':
      return timeOf(value);
    case 'flag':
      return isYes(value) || undefined;
    case 'rule':
      return forwardOf(value);
    default:
      return max > LINE_MAX ? linesOf(value, max) : lineOf(value, max);
  }
}

/** Some services write the password or its hash, others only whether there is one. */
const isPassword = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && !/^\s*(?:|false|no|null|0)\s*$/i.test(value));

/** Returns why the imported link would not behave like the original. */
function problemOf(
  { url }: ImportRow,
  {
    isDeleted,
    hasPassword,
    unreadable,
    read,
  }: {
    isDeleted: boolean;
    hasPassword: boolean;
    unreadable: SettingName | undefined;
    read: (meaning: Meaning) => unknown;
  },
): string | undefined {
  if (url === '') return 'There is no destination on this line.';
  if (isDeleted) return 'This link has been deleted.';
  if (hasPassword)
    return 'This link asks for a password. Hop has no passwords for links, so everyone could open it.';
  if (unreadable !== undefined)
    return `The ${SETTING_FIELDS[unreadable].label.toLowerCase()} “${textOf(read(unreadable)).slice(0, 40)}” cannot be read. Write it like 2026-12-31.`;
  return undefined;
}
