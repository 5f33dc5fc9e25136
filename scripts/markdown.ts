import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './place.ts';

export type Section = {
  /** What stands behind '#' in a link to this heading, as GitHub derives it. */
  anchor: string;
  title: string;
  /** 1 for '#', 2 for '##', … */
  level: number;
  /** The text up to the next heading of any level. */
  text: string;
};

/** The text of a file of the repository; `path` is relative to its root. */
export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/**
 * The sections of a Markdown text, in order. What looks like a heading inside a code block is none.
 */
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

/** 'Rate limits' → 'rate-limits'. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The cells of every table row in a text, without header and separator rows. */
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
