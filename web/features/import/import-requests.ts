import type { ImportRequestRow } from '#contract/import.ts';
import { SETTING_FIELDS, SETTING_NAMES } from '#web/shared/link-settings.ts';
import type { ImportRow } from './formats/import-row.ts';

/**
 * A row as it is sent. Its line is its position in the file's rows, from 1 on, so every row has a
 * different one.
 */
export type NumberedRow = ImportRequestRow;

/** Longer addresses are rejected anyway, and one must not fill a request. */
const URL_MAX = 4096;
/** Of the 256 KB that a request may have. */
const REQUEST_MAX_BYTES = 200_000;
const CLICKS_MAX = 1e12;

/** The rows that can be sent: those that the file's reader understood. */
export function toRequestRows(rows: readonly ImportRow[]): NumberedRow[] {
  const seen = new Map<string, number>();
  return rows.flatMap((row, at) => {
    if (row.problem !== undefined) return [];
    const { url, code, tags, clicks, disabled, sourceId } = row;
    const nth = (seen.get(url) ?? 0) + 1;
    const isPlain = code === undefined && sourceId === undefined;
    if (isPlain) seen.set(url, nth);
    const given = { code, tags, disabled, sourceId };
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

/** The row's settings as the server accepts them. */
const settingsOf = (row: ImportRow): object =>
  Object.assign(
    {},
    ...SETTING_NAMES.map((name) => {
      const value = row[name];
      if (value === undefined) return {};
      return SETTING_FIELDS[name].kind === 'time' ? time(name, String(value)) : { [name]: value };
    }),
  );

/** A time that the server accepts; none for other text. */
function time(name: string, text: string | undefined): object {
  const at = new Date(text ?? Number.NaN);
  if (Number.isNaN(at.getTime())) return {};
  const iso = at.toISOString();
  return /^\d{4}-/.test(iso) ? { [name]: iso } : {};
}

/** Splits rows into requests of at most `max` rows that the server accepts. */
export function splitRows(rows: readonly NumberedRow[], max: number): NumberedRow[][] {
  const encoder = new TextEncoder();
  const requests: NumberedRow[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const bytes = encoder.encode(JSON.stringify(row)).length + 1;
    const last = requests.at(-1);
    if (last === undefined || last.length >= max || size + bytes > REQUEST_MAX_BYTES) {
      requests.push([row]);
      size = bytes;
    } else {
      last.push(row);
      size += bytes;
    }
  }
  return requests;
}
