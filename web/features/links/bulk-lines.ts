import type { BulkLine } from '#contract/links.ts';

/** The links of a pasted list, one per line. Blank lines are dropped. */
export const parseLines = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The short links of a response, one per line, in the order of the list. */
export const joinShortLinks = (lines: readonly BulkLine[]): string =>
  lines.flatMap((line) => (line.ok ? [line.shortUrl] : [])).join('\n');

/** The failed lines of a response, as the user typed them. */
export const joinFailedLinks = (lines: readonly BulkLine[]): string =>
  lines.flatMap((line) => (line.ok ? [] : [line.longUrl])).join('\n');
