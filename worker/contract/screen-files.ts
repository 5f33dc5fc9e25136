import { PAGES, type Page } from './paths.ts';

/** For each page the built files that its screen needs beyond those of every page. */
export type ScreenFiles = Readonly<Record<Page, readonly string[]>>;

const OPEN = '<!--hop:screens ';
const CLOSE = '-->';

/** The comment in the built index.html by which the build tells the Worker. File names hold no '-->'. */
export const screenFilesComment = (files: ScreenFiles): string => OPEN + JSON.stringify(files) + CLOSE;

/** `html` without that comment, and the files of `page`; none where the build wrote no comment. */
export function takeScreenFiles(html: string, page: Page): { html: string; files: readonly string[] } {
  const start = html.indexOf(OPEN);
  const end = html.indexOf(CLOSE, start);
  if (start === -1 || end === -1) return { html, files: [] };
  const said: Partial<ScreenFiles> = JSON.parse(html.slice(start + OPEN.length, end));
  return { html: html.slice(0, start) + html.slice(end + CLOSE.length), files: said[page] ?? [] };
}

/** True if every page of the contract is in `files`. */
export const hasEveryPage = (files: Partial<ScreenFiles>): files is ScreenFiles =>
  PAGES.every((page) => files[page] !== undefined);
