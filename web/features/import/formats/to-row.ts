import type { SettingName } from '#contract/links/link-settings.ts';
import {
  LINE_MAX,
  SETTING_FIELDS,
  SETTING_NAMES,
} from '#web/shared/link-settings/link-settings.ts';
import type { Meaning } from './columns.ts';
import type { Format } from './formats.ts';
import { isInactive, isNo, type Hint } from './hints.ts';
import type { ImportRow } from './import-row.ts';
import { LOSSES, type LossKind } from './losses.ts';
import { CLICK_LIMIT_MAX, EARLIER_CODES_MAX, RULES_MAX } from '#contract/limits.ts';
import type { LinkRule } from '#contract/links/rule-conditions.ts';
import { WATCH_MODES } from '#contract/links/watch.ts';
import { historyOf } from './read-history.ts';
import { redirectStatusOf, rulesOf, variantsOf } from './read-rules.ts';
import {
  codesOf,
  linkCodeOf,
  passwordOf,
  countOf,
  forwardOf,
  codeOfShortLink,
  isYes,
  lineOf,
  linesOf,
  shortLinkOf,
  tagsOf,
  textOf,
  timeOf,
} from './read-values.ts';

/** States with which a link redirects. Some tables have the status of the redirect. */
const ACTIVE =
  /^(?:|null|\\n|-|active|enabled|live|ok|on|open|online|public|published|valid|approved|default|yes|true|1|2\d\d|3\d\d)$/i;
const DISABLED =
  /^(?:disabled|inactive|paused|blocked|banned|suspended|expired|ended|stopped|draft|pending|off|no|false|0)$/i;
const ARCHIVED = /^(?:archived|hidden)$/i;

export function toRow(
  line: number,
  read: (meaning: Meaning) => unknown,
  format: Format,
  { hints, rules }: { hints: readonly Hint[]; rules: readonly LinkRule[] },
): ImportRow {
  const shortLink = shortLinkOf(read('shortUrl'));
  const shortCode = codeOfShortLink(read('shortUrl'));
  const created = timeOf(read('createdAt'));
  const tags = tagsOf(read('tags'), format.tagSeparator);
  const row: ImportRow = { line, url: textOf(read('url')) };
  const texts = {
    code: linkCodeOf(read('code')) || shortCode,
    externalId: textOf(read('externalId')),
    createdAt: created ?? '',
    sourceId: shortLink === shortCode ? textOf(read('sourceId')) : shortLink,
  };
  // Dub uses this key for the link of a domain itself.
  if (texts.code === '_root') texts.code = '';
  for (const name of ['code', 'externalId', 'createdAt', 'sourceId'] as const)
    if (texts[name] !== '') row[name] = texts[name];
  if (tags.length > 0) row.tags = tags;
  Object.assign(row, settingsOf(read));
  const all = [...(row.rules ?? []), ...rules];
  if (all.length > 0) row.rules = all.slice(0, RULES_MAX);
  const codes = codesOf(read('earlierCodes'));
  if (codes.length > 0) row.earlierCodes = codes.slice(0, EARLIER_CODES_MAX);
  const { history, isCut: isHistoryCut } = historyOf(read('history'));
  if (history.length > 0) row.history = history;
  const counts = [countOf(read('clicks')), countOf(read('importedClicks'))].filter(
    (count) => count !== undefined,
  );
  const clicks = counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
  if (clicks !== undefined) row.clicks = clicks;
  const status = textOf(read('status'));
  if (ARCHIVED.test(status)) row.archived = true;
  const left = clicksLeft(read, clicks);
  if (left !== null && left > 0) row.clickLimit = Math.min(left, CLICK_LIMIT_MAX);
  const { losses, isDisabled } = stateOf(read, { hints, status, left });
  if (isDisabled) row.disabled = true;
  if (created === undefined) losses.add('createdAt');
  if (clicks === undefined && !isNo(read('clicks'))) losses.add('clicks');
  if (codes.length > EARLIER_CODES_MAX) losses.add('earlierCodes');
  if (isHistoryCut) losses.add('history');
  if (all.length > RULES_MAX || (row.rules === undefined && !isNo(read('rules'))))
    losses.add('rules');
  if (row.variants === undefined && !isNo(read('variants'))) losses.add('rules');
  if (isCut(row, read)) losses.add('cutText');
  if (tags.length > 0 && tagsOf(read('tags'), format.tagSeparator, 1000).join() !== tags.join())
    losses.add('tags');
  if (losses.size > 0) row.losses = [...losses];
  const problem = problemOf(row, {
    isDeleted: /^deleted$/i.test(status) || hints.includes('deleted'),
    unreadable: SETTING_NAMES.find(
      (name) => SETTING_FIELDS[name].kind === 'time' && timeOf(read(name)) === undefined,
    ),
    read,
  });
  return problem === undefined ? row : { ...row, problem };
}

/** Losses that would let visitors through whom the other service stops: the link is disabled. */
const LOCKS: ReadonlySet<LossKind> = new Set(['password', 'usedUp', 'unknownState']);

/** Decides whether a link may redirect, and what it loses. In doubt it is disabled. */
function stateOf(
  read: (meaning: Meaning) => unknown,
  { hints, status, left }: { hints: readonly Hint[]; status: string; left: number | null },
): { losses: Set<LossKind>; isDisabled: boolean } {
  const losses = new Set(hints.filter((hint): hint is LossKind => Object.hasOwn(LOSSES, hint)));
  if (!isNo(read('password')) && passwordOf(read('password')) === undefined) losses.add('password');
  if (left === 0) losses.add('usedUp');
  if (left !== null && left > CLICK_LIMIT_MAX) losses.add('clickLimit');
  const isKnown = [ACTIVE, ARCHIVED, DISABLED, /^deleted$/i].some((state) => state.test(status));
  if (!isKnown) losses.add('unknownState');
  const isDisabled =
    DISABLED.test(status) ||
    !isNo(read('disabled')) ||
    isInactive(read('active')) ||
    hints.includes('disabled') ||
    hints.includes('inactive') ||
    [...losses].some((loss) => LOCKS.has(loss));
  return { losses, isDisabled };
}

/**
 * Returns what the other service would still have let through, because Hop counts from the import
 * on: null without a limit, 0 for one that is reached or cannot be read.
 */
function clicksLeft(
  read: (meaning: Meaning) => unknown,
  clicks: number | undefined,
): number | null {
  if (isNo(read('clickLimit'))) return null;
  const limit = countOf(read('clickLimit')) ?? 0;
  return Math.max(0, limit - (countOf(read('clickLimitUsed')) ?? clicks ?? 0));
}

/** True if a text is longer than Hop keeps. */
const isCut = (row: ImportRow, read: (meaning: Meaning) => unknown): boolean =>
  (['title', 'note'] as const).some(
    (name) =>
      row[name]?.endsWith('…') === true &&
      textOf(read(name)).length > (SETTING_FIELDS[name].max ?? Number.POSITIVE_INFINITY),
  );

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
    case 'password':
      return passwordOf(value);
    case 'params':
      return forwardOf(value);
    case 'rules':
      return rulesOf(value);
    case 'variants':
      return variantsOf(value);
    case 'status':
      return redirectStatusOf(value);
    case 'watch':
      return watchOf(value);
    case 'count':
      return undefined;
    case 'url':
    case 'fallback':
      return isNo(value) ? undefined : textOf(value);
    default:
      return max > LINE_MAX ? linesOf(value, max) : lineOf(value, max);
  }
}

const watchOf = (value: unknown) =>
  WATCH_MODES.find((mode) => mode !== 'off' && mode === textOf(value)) ??
  (isYes(value) ? 'on' : undefined);

/** The problem of a link that its service has deleted. */
export const DELETED = 'This link has been deleted.';

/** Returns why a row cannot be imported. */
function problemOf(
  { url }: ImportRow,
  {
    isDeleted,
    unreadable,
    read,
  }: {
    isDeleted: boolean;
    unreadable: SettingName | undefined;
    read: (meaning: Meaning) => unknown;
  },
): string | undefined {
  if (url === '') return 'There is no destination on this line.';
  if (isDeleted) return DELETED;
  if (unreadable !== undefined)
    return `The ${SETTING_FIELDS[unreadable].label.toLowerCase()} “${textOf(read(unreadable)).slice(0, 40)}” cannot be read. Write it like 2026-12-31.`;
  return undefined;
}
