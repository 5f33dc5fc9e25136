import { formatNumber, plural } from '#contract/language.ts';
import { meaningsOf, type Meaning } from './columns.ts';
import { findAddresses, hasBitlyLinks } from './find-addresses.ts';
import { BITLY, PLAIN, recognize } from './formats.ts';
import { hintOf, isInactive, isNo, isTechnical } from './hints.ts';
import { FORMAT_NAMES, ImportError, type ImportFile, type ImportRow } from './import-row.ts';
import { lossesOf } from './losses.ts';
import { isBookmarks, readBookmarks } from './read-bookmarks.ts';
import { membersOf, readJsonLinks } from './read-json.ts';
import { isSql, readSql } from './read-sql.ts';
import { rulesOfColumn } from './read-rules.ts';
import { isAddress, loadParser, readLines, type ParsedFile } from './read-table.ts';
import { toRow } from './to-row.ts';

/**
 * Matches the apostrophe that keeps a spreadsheet from running the text as a formula
 * (worker/contract/files/csv.ts).
 */
const GUARD = /^'(?=[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20])/;

/**
 * Reads the links of a file from another service, from Hop or from a spreadsheet; `chosen` is as in
 * `meaningsOf`. Throws an ImportError for a file without links.
 */
export async function readImport(
  text: string,
  chosen: Readonly<Record<string, string>> = {},
): Promise<ImportFile> {
  const clean = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const start = clean.slice(0, 1000).trimStart();
  if (clean.trim() === '') throw new ImportError('This file is empty.');
  if (/^[[{]/.test(start)) return readObjects(clean, chosen);
  if (isSql(start)) return toFile(readSql(clean), chosen, FORMAT_NAMES.csv);
  if (isBookmarks(start)) return toFile(readBookmarks(clean), chosen, 'Bookmarks');
  if (/^<(?:!doctype|html|\?xml)/i.test(start))
    throw new ImportError(
      'This is a web page or XML. Choose a CSV, TSV, text or JSON file, bookmarks, or a copy of YOURLS’ database.',
    );
  if (start.startsWith('PK\u0003\u0004'))
    throw new ImportError('This is a spreadsheet. Save it as CSV, then choose that file.');
  const table = readLines(clean, await loadParser(), chosen);
  return toFile(table, chosen, table.names.length === 0 ? 'List of addresses' : FORMAT_NAMES.csv);
}

function readObjects(text: string, chosen: Readonly<Record<string, string>>): ImportFile {
  const { items, total } = readJsonLinks(text);
  const links = items.map(membersOf);
  const names = [...new Set(links.flatMap((link) => [...(link?.keys() ?? [])]))];
  const columnOf = new Map(names.map((name, column) => [name, column]));
  const lines = items.map((item, index) => {
    const line = index + 1;
    const link = links[index];
    if (typeof item === 'string') return { line, address: item };
    if (link === undefined) return { line, problem: 'This entry of the list is not a link.' };
    const columns = [...link.keys()].flatMap((name) => columnOf.get(name) ?? []);
    return {
      line,
      cellOf: (column: number) => link.get(names[column] ?? ''),
      columns: columns.toSorted((a, b) => a - b),
    };
  });
  const file = toFile({ names, lines }, chosen, 'JSON', true);
  if (total <= items.length) return file;
  const notice = `This file has ${formatNumber(items.length)} of ${plural(total, 'link')}. Export the other pages, too.`;
  return { ...file, notice };
}

function toFile(
  { names, lines }: ParsedFile,
  chosen: Readonly<Record<string, string>>,
  plainName: string,
  isJson = false,
): ImportFile {
  const named = recognize(names, isJson);
  const format = named === PLAIN && hasBitlyLinks({ names, lines }) ? BITLY : named;
  const meanings = meaningsOf(names, format.columns, chosen);
  if (!meanings.includes('url')) {
    const found = findAddresses(
      { names, lines },
      (index) => meanings[index] === null && !Object.hasOwn(chosen, names[index] ?? ''),
    );
    if (found !== undefined)
      for (const meaning of ['url', 'shortUrl', 'code'] as const) {
        const column = found[meaning];
        if (column !== undefined && !meanings.includes(meaning)) meanings[column] = meaning;
      }
    else if (Object.keys(chosen).length === 0 && !lines.some(({ address }) => isAddress(address)))
      throw new ImportError('There is no web address in this file.');
  }
  if (lines.length === 0) throw new ImportError('There is no link below the names of the columns.');
  const columnOf = new Map(meanings.map((meaning, index) => [meaning, index]));
  const others = names.flatMap((name, column) =>
    meanings[column] == null ? [{ name, column, hint: hintOf(name), links: 0 }] : [],
  );
  const otherAt = new Map(others.map((other) => [other.column, other]));
  const rows = lines.map(({ line, address, cellOf, columns, problem }): ImportRow => {
    const read = (meaning: Meaning): unknown => {
      if (meaning === 'url' && address !== undefined) return address;
      const column = columnOf.get(meaning);
      const value = column === undefined ? undefined : cellOf?.(column);
      return format.hasGuardedCells === true && typeof value === 'string' && !isJson
        ? value.replace(GUARD, '')
        : value;
    };
    const own = columns?.flatMap((column) => otherAt.get(column) ?? []) ?? others;
    for (const other of own) if (!isNo(cellOf?.(other.column))) other.links += 1;
    const rulesIn = ({ name, column }: (typeof others)[number]) =>
      rulesOfColumn(name, cellOf?.(column));
    const rules = own.flatMap(rulesIn);
    const hints = own.flatMap((other) => {
      const { hint, column } = other;
      if (hint === undefined || (hint === 'rules' && rulesIn(other).length > 0)) return [];
      const value = cellOf?.(column);
      return (hint === 'inactive' ? isInactive(value) : !isNo(value)) ? [hint] : [];
    });
    const row = toRow(line, read, format, { hints, rules });
    return problem === undefined ? row : { ...row, problem };
  });
  const unread = others.filter(
    ({ name, hint, links }) => hint === undefined && links > 0 && !isTechnical(name),
  );
  const losses = lossesOf(rows, unread);
  const columns = names.map((name, index) => ({ name, meaning: meanings[index] ?? null }));
  const isPlain = format === PLAIN;
  return {
    format: format.format,
    formatName: isPlain ? plainName : FORMAT_NAMES[format.format],
    rows,
    losses,
    ...((isPlain ? names.length > 0 : !isJson) && { columns }),
  };
}
