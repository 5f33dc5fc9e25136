import type { ParsedFile } from './read-table.ts';

const ITEM = /<a\s([^>]*)>([\s\S]*?)<\/a>|<dd>([^<]*)|<h3[^>]*>([\s\S]*?)<\/h3>|<(\/?)dl\b/gi;
const ATTRIBUTE = /([\w-]+)\s*=\s*"([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

export const isBookmarks = (start: string): boolean =>
  /^<!doctype\s+netscape-bookmark-file-1/i.test(start);

/**
 * Reads the bookmarks of a browser or of a service that exports them in the same form, such as
 * Pinboard and Linkwarden:
 * https://learn.microsoft.com/previous-versions/windows/internet-explorer/ie-developer/platform-apis/aa753582(v=vs.85)
 */
export function readBookmarks(text: string): ParsedFile {
  const names = ['url', 'title', 'created', 'tags', 'note', 'Folder'];
  const rows: string[][] = [];
  const lines: number[] = [];
  let line = 1;
  let end = 0;
  const folders: string[] = [];
  let folder = '';
  /** The link that the next text belongs to; a folder can have a text, too. */
  let described: string[] | undefined;
  for (const match of text.matchAll(ITEM)) {
    const { 1: attributes, 2: title = '', 3: note, 4: heading, 5: closing, index } = match;
    line += text.slice(end, index).split('\n').length - 1;
    end = index;
    if (note !== undefined) {
      if (described !== undefined) described[4] ||= decode(note);
      continue;
    }
    described = undefined;
    if (heading !== undefined) folder = decode(heading);
    else if (closing === '/') folders.pop();
    else if (closing !== undefined) folders.push(folder);
    if (attributes === undefined) continue;
    const given = new Map(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [
        name.toLowerCase(),
        decode(value),
      ]),
    );
    const url = given.get('href') ?? '';
    if (!/^https?:/i.test(url)) continue;
    described = [
      url,
      decode(title.replaceAll(/<[^>]*>/g, '')),
      given.get('add_date') ?? '',
      given.get('tags') ?? '',
      '',
      folders.at(-1) ?? '',
    ];
    rows.push(described);
    lines.push(line);
  }
  return {
    names,
    lines: rows.map((cells, at) => ({ line: lines[at] ?? 0, cellOf: (column) => cells[column] })),
  };
}

const decode = (text: string): string =>
  text
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, dec, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = dec === undefined ? Number.parseInt(String(hex), 16) : Number(dec);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    })
    .trim();
