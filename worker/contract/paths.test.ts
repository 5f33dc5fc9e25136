import { expect, test } from 'vitest';
import { ACCESS } from '#worker/api/access.ts';
import { app } from '#worker/api/app.ts';
import { routeNames } from '#worker/api/check-access-rules.ts';
import { isPage, isReserved, PAGES, PREFIXES, RESERVED, ROOT_FILES } from './paths.ts';

/** What the browser is served at the root beside what the Worker answers itself. */
const publicFiles = Object.keys(import.meta.glob('/web/public/**'));

const firstSegments = (paths: readonly string[]): string[] =>
  paths.map((path) => path.split('/')[1] ?? '').filter((word) => word !== '');

test('no alias may be the first segment of an API route, a page, or a file at the root', () => {
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
    // '_headers' and the like configure the assets and are never served; a leading underscore is reserved as such.
    expect(isReserved(word), `${word} is answered by the product, but an alias could take it: add it to contract/paths.ts`).toBe(
      true,
    );
    expect(isReserved(word.toUpperCase())).toBe(true);
  }
});

test('the reserved words are lower-case, and the ones that the threats name are among them', () => {
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
  for (const word of ['my-link', 'a', '7', 'adminx', 'apple']) expect(isReserved(word)).toBe(false);
});

test('a page is a page only in its exact spelling', () => {
  for (const path of ['/', '/auth', '/analytics/abc', '/blog/a-b', '/admin/blogs']) expect(isPage(path)).toBe(true);
  for (const path of ['/auth/', '/Auth', '/analytics', '/analytics/', '/analytics/a/b', '/blog/', '//', '', '/abcdefg'])
    expect(isPage(path)).toBe(false);
});
