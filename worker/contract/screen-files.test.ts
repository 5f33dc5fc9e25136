import { expect, test } from 'vitest';
import { PAGES } from './paths.ts';
import { hasEveryPage, screenFilesComment, takeScreenFiles } from './screen-files.ts';

const files: Partial<Record<(typeof PAGES)[number], string[]>> = {};
for (const page of PAGES) files[page] = [`/assets/${page.length}.js`];

test('what the build wrote is read back for each page, and leaves no trace', () => {
  if (!hasEveryPage(files)) throw new Error('a page is missing');
  const html = `<head><!--hop:head-->${screenFilesComment(files)}</head>`;
  for (const page of PAGES)
    expect(takeScreenFiles(html, page)).toEqual({ html: '<head><!--hop:head--></head>', files: files[page] });
});

test('a page without the comment stays as it is', () => {
  expect(takeScreenFiles('<head><!--hop:head--></head>', '/')).toEqual({ html: '<head><!--hop:head--></head>', files: [] });
});
