import { PAGES, type Page } from './paths.ts';

/** For each page, the built files that its screen needs in addition to those of every page. */
export type ScreenFiles = Readonly<Record<Page, readonly string[]>>;

const OPEN = '<!--hop:screens ';
const CLOSE = '-->';

/**
 * The comment through which the build passes these lists to the Worker in index.html. File names
 * never contain '-->'.
 */
export const screenFilesComment = (files: ScreenFiles): string =>
  OPEN + JSON.stringify(files) + CLOSE;

/** Returns `html` without that comment, and the files of `page`: none if there is no comment. */
export function extractScreenFiles(
  html: string,
  page: Page,
): { html: string; files: readonly string[] } {
  const start = html.indexOf(OPEN);
  const end = html.indexOf(CLOSE, start);
  if (start === -1 || end === -1) return { html, files: [] };
  const lists: Partial<ScreenFiles> = JSON.parse(html.slice(start + OPEN.length, end));
  return { html: html.slice(0, start) + html.slice(end + CLOSE.length), files: lists[page] ?? [] };
}

/** True if `files` has every page of the SPA. */
export const hasEveryPage = (files: Partial<ScreenFiles>): files is ScreenFiles =>
  PAGES.every((page) => files[page] !== undefined);
