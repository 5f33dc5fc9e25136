import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './place.ts';

export type Section = {
  /** The fragment of a link to this heading, as GitHub derives it. */
  anchor: string;
  title: string;
  /** 1 for '#', 2 for '##', and so on. */
  level: number;
  /** The text up to the next heading of any level. */
  text: string;
};

/** Reads a file of the repository; `path` is relative to its root. */
export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns the sections of a Markdown text in order. Lines inside code blocks are not headings. */
export function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [];
  let inCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode;
    const [, hashes, title] = inCode ? [] : (/^(#{1,6}) (.+)$/.exec(line) ?? []);
    const current = sections.at(-1);
    if (hashes !== undefined && title !== undefined)
      sections.push({ anchor: anchorOf(title), title, level: hashes.length, text: '' });
    else if (current !== undefined) current.text += `${line}\n`;
  }
  return sections;
}

/** Converts a title to its anchor: 'Rate limits' becomes 'rate-limits'. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the cells of every table row, without header and separator rows. */
export function tableRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const isSeparator = (line: string | undefined): boolean =>
    line !== undefined && /^\|[\s|:-]+\|$/.test(line);
  return lines
    .filter((line, i) => !isSeparator(line) && !isSeparator(lines[i + 1]))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}
