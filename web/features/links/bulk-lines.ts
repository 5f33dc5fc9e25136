import type { BulkLine } from '#contract/links/links.ts';

export const parseLines = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const joinShortLinks = (lines: readonly BulkLine[]): string =>
  lines.flatMap((line) => (line.ok ? [line.shortUrl] : [])).join('\n');

/** Joins the failed lines of a response as the user typed them. */
export const joinFailedLinks = (lines: readonly BulkLine[]): string =>
  lines.flatMap((line) => (line.ok ? [] : [line.longUrl])).join('\n');
