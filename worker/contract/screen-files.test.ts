import { describe, expect, it } from 'vitest';
import { PAGES } from './paths.ts';
import { hasEveryPage, screenFilesComment, extractScreenFiles } from './screen-files.ts';

const files: Partial<Record<(typeof PAGES)[number], string[]>> = {};
for (const page of PAGES) files[page] = [`/assets/${page.length}.js`];

describe('extractScreenFiles', () => {
  it('returns the files that the build wrote for each page, and removes the comment', () => {
    if (!hasEveryPage(files)) throw new Error('a page is missing');
    const html = `<head><!--hop:head-->${screenFilesComment(files)}</head>`;
    for (const page of PAGES)
      expect(extractScreenFiles(html, page)).toEqual({
        html: '<head><!--hop:head--></head>',
        files: files[page],
      });
  });

  it('returns HTML without the comment unchanged', () => {
    expect(extractScreenFiles('<head><!--hop:head--></head>', '/')).toEqual({
      html: '<head><!--hop:head--></head>',
      files: [],
    });
  });
});
