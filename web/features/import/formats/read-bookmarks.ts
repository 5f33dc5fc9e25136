import type { ImportSource } from './read-table.ts';

const ITEM = /<a\s([^>]*)>([\s\S]*?)<\/a>|<dd>([^<]*)/gi;
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
 * Pinboard and Linkwarden: https://learn.microsoft.com/previous-versions/windows/internet-explorer/ie-developer/platform-apis/aa753582(v=vs.85)
 */
export function readBookmarks(text: string): ImportSource {
  const names = ['url', 'title', 'created', 'tags', 'note'];
  const rows: string[][] = [];
  const lines: number[] = [];
  let line = 1;
  let end = 0;
  for (const { 1: attributes, 2: title = '', 3: note, index } of text.matchAll(ITEM)) {
    line += text.slice(end, index).split('\n').length - 1;
    end = index;
    if (attributes === undefined) {
      const last = rows.at(-1);
      if (last !== undefined && note !== undefined) last[4] ||= decode(note);
      continue;
    }
    const given = new Map(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [
        name.toLowerCase(),
        decode(value),
      ]),
    );
    const url = given.get('href') ?? '';
    if (!/^https?:/i.test(url)) continue;
    rows.push([
      url,
      decode(title.replaceAll(/<[^>]*>/g, '')),
      given.get('add_date') ?? '',
      given.get('tags') ?? '',
      '',
    ]);
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
