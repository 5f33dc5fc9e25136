import type { ImportRequestRow } from '#contract/files/import.ts';
import { IMPORTED_HISTORY_MAX } from '#contract/limits.ts';
import { SETTING_FIELDS, SETTING_NAMES } from '#web/shared/link-settings/link-settings.ts';
import { isNo } from './hints.ts';
import { textOf, timeOf } from './read-values.ts';

export type History = NonNullable<ImportRequestRow['history']>;

/** The history of one link must not fill a request. In characters of JSON. */
const HISTORY_LENGTH_MAX = 60_000;

/** Reads the history of a link in an export of Hop: the latest changes that fit. */
export function historyOf(value: unknown): { history: History; isCut: boolean } {
  const history: History = [];
  if (!Array.isArray(value)) return { history, isCut: !isNo(value) };
  let length = 0;
  for (const given of value.toReversed()) {
    const state = stateOf(given);
    length += JSON.stringify(state ?? '').length;
    if (history.length === IMPORTED_HISTORY_MAX || length > HISTORY_LENGTH_MAX)
      return { history, isCut: true };
    if (state !== undefined) history.push(state);
  }
  return { history, isCut: history.length < value.length };
}

function stateOf(given: unknown): History[number] | undefined {
  const members: Record<string, unknown> = Object(given);
  const { short_code, long_url, status, tags } = members;
  const until = timeOf(members['until']);
  const isState = status === 'active' || status === 'disabled' || status === 'deleted';
  if (typeof until !== 'string' || !isState) return undefined;
  const settings = SETTING_NAMES.flatMap((name) => {
    const value = members[SETTING_FIELDS[name].column];
    return name === 'password' || value === undefined || value === null ? [] : [[name, value]];
  });
  return {
    until,
    url: textOf(long_url),
    code: textOf(short_code),
    status,
    tags: Array.isArray(tags) ? tags.map(textOf) : [],
    ...Object.fromEntries(settings),
  };
}
