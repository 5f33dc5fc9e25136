import { describe, expect, it } from 'vitest';
import { ACCESS } from '#worker/api/access.ts';
import { routeNames } from '#worker/api/base-app.ts';
import { app } from '#worker/api/app.ts';
import { canonicalPage, CLI_PACKAGE, isPage, PAGES, PREFIXES, ROOT_FILES } from './paths.ts';
import { isReserved, RESERVED } from './reserved.ts';

/** The files that the build copies to the root. */
const publicFiles = Object.keys(import.meta.glob('/web/public/**'));

const firstSegments = (paths: readonly string[]): string[] =>
  paths.map((path) => path.split('/')[1] ?? '').filter((word) => word !== '');

describe('isReserved', () => {
  it('[T13] returns true for the first segment of every API route, page and root file', () => {
    expect(publicFiles.length).toBeGreaterThan(3);
    const taken = [
      ...firstSegments(routeNames(app).map((name) => name.split(' ')[1] ?? '')),
      ...firstSegments(Object.keys(ACCESS).map((rule) => rule.split(' ')[1] ?? '')),
      ...firstSegments(PAGES),
      ...publicFiles.map((file) => file.slice('/web/public/'.length).split('/')[0] ?? ''),
      ...ROOT_FILES,
      ...PREFIXES,
    ];
    for (const word of taken) {
      // Files like '_headers' configure the assets and are never served. Every leading underscore
      // is reserved.
      expect(
        isReserved(word),
        `${word} is a path of the product, but an alias could use it: add it to contract/pages/reserved.ts`,
      ).toBe(true);
      expect(isReserved(word.toUpperCase())).toBe(true);
    }
  });

  it('[T13] returns true for common words in any case and width, and false for other words', () => {
    for (const word of RESERVED) expect(word).toBe(word.toLowerCase());
    for (const word of [
      'robots.txt',
      'favicon.ico',
      '.well-known',
      'admin',
      'login',
      'null',
      'undefined',
      'hop',
      'api',
      'assets',
      'ADMIN',
      'Api',
    ])
      expect(isReserved(word)).toBe(true);
    expect(isReserved('ａｄｍｉｎ')).toBe(true);
    expect(isReserved('_anything')).toBe(true);
    for (const word of ['my-link', 'a', '7', 'adminx', 'apple'])
      expect(isReserved(word)).toBe(false);
  });
});

describe('isPage', () => {
  it('returns true for the exact path of a page only', () => {
    for (const path of ['/', '/auth', '/analytics/abc', '/blog/a-b', '/admin/blogs'])
      expect(isPage(path)).toBe(true);
    for (const path of [
      '/auth/',
      '/Auth',
      '/analytics/',
      '/analytics/a/b',
      '/blog/',
      '//',
      '',
      '/abcdefg',
    ])
      expect(isPage(path)).toBe(false);
  });
});

describe('canonicalPage', () => {
  it('removes trailing slashes from a page and sends /blog and /cli to what they mean', () => {
    expect(canonicalPage('/pricing/')).toBe('/pricing');
    expect(canonicalPage('/blog/a-b//')).toBe('/blog/a-b');
    for (const path of ['/blog', '/blog/']) expect(canonicalPage(path)).toBe('/blogs');
    expect(canonicalPage('/cli')).toBe(CLI_PACKAGE);
  });

  it('returns null for pages in their exact spelling and for paths that are no pages', () => {
    for (const path of ['/', '//', '/pricing', '/abc/', '/abc', '/api/'])
      expect(canonicalPage(path), path).toBeNull();
  });

  // With a regular expression for the end, this takes minutes.
  it('[T56] reads a path of a million slashes in one pass', () => {
    expect(canonicalPage(`${'/'.repeat(1_000_000)}x`)).toBeNull();
    expect(canonicalPage(`/pricing${'/'.repeat(1_000_000)}`)).toBe('/pricing');
  });
});
