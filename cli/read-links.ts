import type { LinkBody } from './client.ts';
import { settingsInRow } from './link-settings.ts';
import { UsageError } from './command.ts';

/** The text members of a link, with other accepted column names. */
type TextColumn = 'url' | 'code' | 'externalId';
const COLUMNS: Readonly<Record<string, TextColumn>> = {
  url: 'url',
  target: 'url',
  long_url: 'url',
  longurl: 'url',
  code: 'code',
  alias: 'code',
  externalid: 'externalId',
  external_id: 'externalId',
};

/**
 * Reads the links in a file: a JSON array, a CSV file with a `url` column, or a list with one
 * address per line. Empty lines and, in a list, lines that start with # are skipped.
 */
export function parseLinks(content: string): LinkBody[] {
  const text = content.replace(/^\uFEFF/, '');
  if (text.trimStart().startsWith('[')) return readJson(text);
  const [header = [], ...rows] = parseCsv(text).filter((row) =>
    row.some((cell) => cell.trim() !== ''),
  );
  const names = header.map((name) => name.trim().toLowerCase());
  if (isExport(names)) throw new UsageError(EXPORT);
  const columns = names.map((name) => COLUMNS[name]);
  const tagsAt = names.indexOf('tags');
  if (!columns.includes('url')) {
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    return lines.filter((line) => line !== '' && !line.startsWith('#')).map((url) => ({ url }));
  }
  return rows.map((row) => {
    const cellOf = (known: readonly string[]): string =>
      row[names.findIndex((name) => known.includes(name))]?.trim() ?? '';
    const link: LinkBody = Object.assign({ url: '' }, settingsInRow(cellOf));
    for (const [index, name] of columns.entries()) {
      const cell = row[index]?.trim() ?? '';
      if (name !== undefined && cell !== '') link[name] = cell;
    }
    const tags = (row[tagsAt] ?? '')
      .split(/[,;]/)
      .flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]));
    if (tags.length > 0) link.tags = tags;
    return link;
  });
}

function readJson(text: string): LinkBody[] {
  const items = parsed(text);
  const isLink = (item: unknown): boolean =>
    typeof item === 'string' || (typeof item === 'object' && item !== null);
  if (!Array.isArray(items) || !items.every(isLink))
    throw new UsageError('The JSON must be an array of addresses or of links.');
  if (items.some((item) => typeof item === 'object' && isExport(Object.keys(item))))
    throw new UsageError(EXPORT);
  return items.map((item) => (typeof item === 'string' ? { url: item } : item));
}

/**
 * An export of Hop includes deleted links and dates in a format that the public API does not
 * accept.
 */
const isExport = (names: readonly string[]): boolean =>
  ['short_url', 'long_url', 'status'].every((name) => names.includes(name));
const EXPORT =
  'This is an export of links. Import it on the website, at /links/import, which keeps codes, dates and states.';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('The file starts like JSON but is not valid JSON.');
  }
}

function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g,
  )) {
    rows.at(-1)?.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows;
}
