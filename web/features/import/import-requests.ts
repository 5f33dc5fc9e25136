import type { ImportRequestRow } from '#contract/files/import.ts';
import { PASSWORDS_PER_REQUEST } from '#contract/limits.ts';
import { SETTING_FIELDS, SETTING_NAMES } from '#web/shared/link-settings/link-settings.ts';
import { hostOfLink } from './formats/read-values.ts';
import type { ImportRow } from './formats/import-row.ts';

/** The server rejects longer addresses anyway, and a single one must not fill a request. */
const URL_MAX = 4096;
/** The server accepts requests of up to 256 KB. */
const REQUEST_MAX_BYTES = 200_000;
const CLICKS_MAX = 1e12;

/** The line of a request's row is its position among the file's rows, counted from 1. */
export function toRequestRows(rows: readonly ImportRow[]): ImportRequestRow[] {
  const seen = new Map<string, number>();
  return rows.flatMap((row, at) => {
    if (row.problem !== undefined) return [];
    const { url, code, externalId, tags, clicks, disabled, sourceId, earlierCodes, history } = row;
    const nth = (seen.get(url) ?? 0) + 1;
    const isPlain = code === undefined && sourceId === undefined;
    if (isPlain) seen.set(url, nth);
    const domain = hostOfLink(sourceId) || undefined;
    const given = { code, domain, externalId, tags, disabled, sourceId, earlierCodes, history };
    return [
      {
        line: at + 1,
        url: url.slice(0, URL_MAX),
        ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
        ...time('createdAt', row.createdAt),
        ...settingsOf(row),
        ...(clicks !== undefined &&
        Number.isSafeInteger(clicks) &&
        clicks >= 0 &&
        clicks <= CLICKS_MAX
          ? { clicks }
          : {}),
        ...(isPlain && nth > 1 ? { nth } : {}),
      },
    ];
  });
}

const settingsOf = (row: ImportRow): object =>
  Object.assign(
    {},
    ...SETTING_NAMES.map((name) => {
      const value = row[name];
      if (value === undefined) return {};
      const isTime = SETTING_FIELDS[name].kind === 'time' && typeof value === 'string';
      return isTime ? time(name, value) : { [name]: value };
    }),
  );

function time(name: string, text: string | undefined): object {
  const at = new Date(text ?? Number.NaN);
  if (Number.isNaN(at.getTime())) return {};
  const iso = at.toISOString();
  return /^\d{4}-/.test(iso) ? { [name]: iso } : {};
}

/** Splits rows into requests that the server accepts, of at most `max` rows and few passwords. */
export function splitRows(rows: readonly ImportRequestRow[], max: number): ImportRequestRow[][] {
  const encoder = new TextEncoder();
  const requests: ImportRequestRow[][] = [];
  let size = Number.POSITIVE_INFINITY;
  let passwords = new Set<string>();
  for (const row of rows) {
    const bytes = encoder.encode(JSON.stringify(row)).length + 1;
    const last = requests.at(-1);
    const isFull = last === undefined || last.length >= max || size + bytes > REQUEST_MAX_BYTES;
    const { password } = row;
    const isOneMore = password !== undefined && !passwords.has(password);
    if (isFull || (isOneMore && passwords.size >= PASSWORDS_PER_REQUEST)) {
      requests.push([row]);
      size = bytes;
      passwords = new Set(password === undefined ? [] : [password]);
    } else {
      last.push(row);
      size += bytes;
      if (isOneMore) passwords.add(password);
    }
  }
  return requests;
}
