import type { ImportFormat } from '#contract/import-formats.ts';

/** A link as an import file has it. Its text is what the file says: the server checks it like any other input. */
export type ImportRow = {
  /** The line of the file where the link starts. In JSON: its position in the list, from 1. */
  line: number;
  url: string;
  code?: string;
  title?: string;
  note?: string;
  tags?: string[];
  /** RFC 3339. */
  createdAt?: string;
  expiresAt?: string;
  clicks?: number;
  archived?: boolean;
  favorite?: boolean;
  disabled?: boolean;
  sourceId?: string;
  /** Why the row cannot be imported. */
  problem?: string;
};

export type ImportFile = {
  format: ImportFormat;
  formatName: string;
  rows: ImportRow[];
  /** What the columns of a table mean; null for a column that is not imported. */
  columns?: { name: string; meaning: string | null }[];
  /** Something about the whole file that its owner should know. */
  notice?: string;
};

/** The file as a whole cannot be read. The message is shown to the member. */
export class ImportError extends Error {
  override name = 'ImportError';
}

/** What a column can mean, and what the meaning is called on the page. */
export const MEANINGS = {
  url: 'Destination',
  code: 'Code',
  title: 'Title',
  note: 'Note',
  tags: 'Tags',
  createdAt: 'Created',
  expiresAt: 'End date',
  clicks: 'Clicks so far',
} as const;
type Meaning = keyof typeof MEANINGS;

const NAMES: Record<Meaning, readonly string[]> = {
  url: ['url', 'longurl', 'destination', 'target', 'link'],
  code: ['code', 'shorturl', 'shortcode', 'alias', 'slug'],
  title: ['title', 'name'],
  note: ['note', 'notes', 'description'],
  tags: ['tags', 'labels'],
  createdAt: ['created', 'createdat', 'date'],
  expiresAt: ['expires', 'expiresat', 'enddate'],
  clicks: ['clicks', 'visits'],
};
const isMeaning = (text: string): text is Meaning => Object.hasOwn(MEANINGS, text);

/** Reads a table with commas, tabs or semicolons, whose first line names the columns, or a list of addresses. */
export async function readImport(text: string, meanings: Readonly<Record<string, string>> = {}): Promise<ImportFile> {
  const source = text.replace(/^\uFEFF/, '');
  const head = /^[^\r\n]*/.exec(source)?.[0] ?? '';
  const separator = [',', '\t', ';'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] ?? ',';
  const [names, ...lines] = parseTable(source, separator);
  if (names === undefined) throw new ImportError('This file has no rows.');
  const isList = /^https?:\/\//i.test(names.cells[0] ?? '');
  const columns = (isList ? ['url'] : names.cells).map((name) => ({ name, meaning: meaningOf(name, meanings) }));
  if (!columns.some(({ meaning }) => meaning === 'url'))
    throw new ImportError('We couldn’t find the column with the destinations. Name it “url” and try again.');
  const rows = (isList ? [names, ...lines] : lines).map(({ line, cells }) => toRow(line, cells, columns));
  if (rows.length === 0) throw new ImportError('This file has no rows.');
  return { format: 'csv', formatName: 'CSV', rows, ...(isList ? {} : { columns }) };
}

function meaningOf(name: string, chosen: Readonly<Record<string, string>>): string | null {
  const choice = chosen[name];
  if (choice !== undefined) return isMeaning(choice) ? choice : null;
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return Object.keys(NAMES).find((meaning) => isMeaning(meaning) && NAMES[meaning].includes(plain)) ?? null;
}

function toRow(line: number, cells: readonly string[], columns: readonly { meaning: string | null }[]): ImportRow {
  const valueOf = (meaning: Meaning): string => cells[columns.findIndex((column) => column.meaning === meaning)]?.trim() ?? '';
  const text = (meaning: 'title' | 'note') => (valueOf(meaning) === '' ? {} : { [meaning]: valueOf(meaning) });
  const time = (meaning: 'createdAt' | 'expiresAt') => {
    const at = Date.parse(valueOf(meaning));
    return Number.isNaN(at) ? {} : { [meaning]: new Date(at).toISOString() };
  };
  const code = /[^/]*$/.exec(valueOf('code'))?.[0] ?? '';
  const tags = valueOf('tags')
    .split(/[,;|]/)
    .filter((tag) => tag.trim() !== '');
  const clicks = valueOf('clicks') === '' ? Number.NaN : Number(valueOf('clicks'));
  return {
    line,
    url: valueOf('url'),
    ...(code === '' ? {} : { code }),
    ...text('title'),
    ...text('note'),
    ...(tags.length === 0 ? {} : { tags }),
    ...time('createdAt'),
    ...time('expiresAt'),
    ...(Number.isNaN(clicks) ? {} : { clicks }),
    ...(valueOf('url') === '' ? { problem: 'This row has no destination.' } : {}),
  };
}

/** The lines of a table, with quoted cells as RFC 4180 has them. Blank lines are left out. */
function parseTable(text: string, separator: string): { line: number; cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let [line, start] = [1, 1];
  const part = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\r\n]*))(${separator}|\r\n|\n|\r|$)`, 'y');
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (match === null) throw new ImportError(`Line ${line} has a quotation mark that does not end.`);
    const [, quoted, bare = '', end = ''] = match;
    cells.push(quoted?.replaceAll('""', '"') ?? bare);
    line += quoted?.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === separator) continue;
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: start, cells });
    cells = [];
    line += 1;
    start = line;
  }
  if (cells.length > 0) rows.push({ line: start, cells });
  return rows;
}
