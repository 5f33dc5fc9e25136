import type { BulkLine } from '#contract/links.ts';

/** The links of a pasted list: one a line, blank lines left out. */
export const parseLines = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What to copy of an answer: the short links, in the order of the list. */
export const joinShortLinks = (lines: readonly BulkLine[]): string =>
  lines.flatMap((line) => (line.ok ? [line.shortUrl] : [])).join('\n');

/** What is left to mend: the refused lines as they were typed. */
export const joinFailedLinks = (lines: readonly BulkLine[]): string =>
  lines.flatMap((line) => (line.ok ? [] : [line.longUrl])).join('\n');
