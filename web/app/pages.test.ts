import { describe, expect, it } from 'vitest';
import { modulesOf, PAGE_SCREENS } from './pages.ts';

const pagesWith = (member: 'noQueries' | 'prefetch') =>
  Object.entries(PAGE_SCREENS)
    .flatMap(([path, page]) => (page[member] === undefined ? [] : [path]))
    .toSorted();

describe('the modules of a page', () => {
  it.each(Object.entries(PAGE_SCREENS))('%s names the file that it loads', (_, page) => {
    expect(String(page.load)).toMatch(new RegExp(`["'/]${page.module}["']`));
  });

  it('a page’s modules include the query cache where it is used', () => {
    expect(modulesOf('/')).toEqual(['app/home-page.tsx']);
    expect(modulesOf('/blogs')).toEqual([
      'features/blog/blog-list-page.tsx',
      'app/query-client.tsx',
    ]);
    expect(pagesWith('noQueries')).toEqual([
      '/',
      '/about',
      '/admin/claim',
      '/auth',
      '/auth/callback',
      '/auth/confirm',
      '/auth/reset',
      '/docs/api',
      '/pricing',
      '/privacy',
      '/terms',
      '/tools',
      '/unsubscribe',
    ]);
  });
});

it('members have their own pages, visitors the sign-in, and everyone the rest', () => {
  const guarded = (guard: 'member' | 'visitor') =>
    Object.entries(PAGE_SCREENS).flatMap(([path, page]) => (page.guard === guard ? [path] : []));
  expect(guarded('member').toSorted()).toEqual([
    '/admin/blogs',
    '/analytics',
    '/analytics/:code',
    '/dashboard',
    '/links/import',
    '/oauth/authorize',
    '/qr/:code',
    '/settings',
    '/settings/api',
    '/settings/data',
    '/settings/domains',
    '/settings/plan',
    '/settings/sessions',
    '/settings/webhooks',
  ]);
  expect(guarded('visitor')).toEqual(['/auth']);
});

it('a page that shows before its code has loaded gets its data before it is replaced', () => {
  expect(pagesWith('prefetch')).toEqual([
    '/analytics/:code',
    '/blog/:slug',
    '/blogs',
    '/dashboard',
  ]);
});
